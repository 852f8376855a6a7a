import assert from "node:assert/strict";
import * as fs from "node:fs";
import { closeConnections } from "../../../../provider/driver/connections";
import { patienceMilliseconds } from "../../../../provider/driver/process/group";
import { superviseDriver } from "../../../../provider/driver/process/supervised-driver";
import { forEachContract } from "../../../support/contracts-under-test";
import { eventually, StubDriver } from "../../../support/stub-driver";

forEachContract("a started driver at the end of its run", ({ endpointVariable, ids }) => {
  let stub: StubDriver;

  beforeEach(() => {
    stub = new StubDriver();
  });

  afterEach(async () => {
    await closeConnections();
    stub.dispose();
  });

  /** Starts it, and waits until it serves, as it has its handler of signals by then. */
  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const driver = await superviseDriver(stub.command, stub.environment(more), endpointVariable);
    await eventually("it serves", () => fs.existsSync(driver.endpoint.path));
  }

  it(`is asked to end, so that it can finish its work ${ids("[GRPC-107]", "[DEP-078]")}`, async () => {
    await start();
    await closeConnections();
    assert.deepEqual(stub.terminated(), [stub.start.pid]);
  });

  it(`is asked to end too where its supervisor was killed ${ids("[GRPC-107]", "[DEP-078]")}`, async () => {
    await start();
    process.kill(stub.start.parent, "SIGKILL");
    await eventually("nothing of it is left", () => !stub.remains());
    assert.deepEqual(stub.terminated(), [stub.start.pid]);
  });

  for (const isSupervised of [true, false]) {
    const who = isSupervised ? "by its supervisor" : "by the host, where its supervisor was killed";
    it(`has 5 s from then on until it is killed, ${who} ${ids("[GRPC-107]", "[DEP-078]")}`, async () => {
      assert.equal(patienceMilliseconds, 5_000);
      await start({ STUB_STUBBORN: "1" });
      const asked = Date.now();
      if (!isSupervised) process.kill(stub.start.parent, "SIGKILL");
      await closeConnections();
      const milliseconds = Date.now() - asked;
      assert.ok(milliseconds >= 4_500, `it was killed after ${milliseconds} ms`);
      assert.deepEqual(stub.terminated(), [stub.start.pid]);
      await eventually("nothing of it is left", () => !stub.remains());
    });
  }
});
