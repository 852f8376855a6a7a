import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { closeConnections } from "../../../../provider/driver/connections";
import { forEachContract } from "../../../support/contracts-under-test";
import type { FakeDriver } from "../../../support/fake-driver";
import { printed } from "../../../support/lifecycle";

forEachContract("a socket that somebody else made", (contract) => {
  const { bucket, obligingDriver, driverReference, ids } = contract;
  let driver: FakeDriver;

  beforeEach(async () => {
    // A private TMPDIR would keep others out already.
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = "/tmp";
    driver = await obligingDriver().start();
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  /** What a run prints that makes two buckets, with these modes of the socket and its folder. */
  const run = (socket: number, folder: number): Promise<string[]> => {
    fs.chmodSync(driver.socket, socket);
    fs.chmodSync(path.dirname(driver.socket), folder);
    return printed(async () => {
      for (const logicalName of ["one", "two"]) {
        await bucket.create({ driver: driverReference(driver.endpoint), logicalName });
      }
    });
  };

  it(`is warned of once, with path and mode, where every user may call the driver ${ids("[GRPC-092]", "[DEP-070]")}`, async () => {
    const lines = await run(0o777, 0o755);
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? "",
      /^warning: driver fake\.example\.com: its socket (\S+) has mode 0777, so every user .* 0660/,
    );
    assert.ok(lines[0]?.includes(driver.socket));
  });

  it(`is not warned of where its mode or its folder keeps others out ${ids("[GRPC-092]", "[DEP-070]")}`, async () => {
    assert.deepEqual(await run(0o660, 0o755), []);
    await closeConnections();
    assert.deepEqual(await run(0o775, 0o755), []);
    await closeConnections();
    assert.deepEqual(await run(0o777, 0o750), []);
  });

  it("leaves it to Node to find one copy of a linked package, before and after", async () => {
    const folder = fs.realpathSync(fs.mkdtempSync("/tmp/linked-"));
    try {
      fs.mkdirSync(path.join(folder, "package"));
      fs.symlinkSync("package", path.join(folder, "link"));
      const { resolve } = createRequire(path.join(folder, "program.js"));
      for (const [name, action] of [
        ["before", () => Promise.resolve()],
        ["after", () => run(0o755, 0o755)],
      ] as const) {
        fs.writeFileSync(path.join(folder, "package", `${name}.js`), "");
        await action();
        assert.equal(resolve(`./link/${name}`), path.join(folder, "package", `${name}.js`));
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it(`is not warned of in a run that changes nothing ${ids("[GRPC-092]", "[DEP-070]")}`, async () => {
    fs.chmodSync(driver.socket, 0o777);
    fs.chmodSync(path.dirname(driver.socket), 0o755);
    const inputs = { driver: driverReference(driver.endpoint), logicalName: "b" };
    const { inputs: known } = await bucket.check({}, inputs);
    const state = { ...known, bucketId: "b", bucketInfo: null, schemaVersion: 1 };
    const lines = await printed(async () => {
      const { inputs: news } = await bucket.check(known, inputs);
      await bucket.diff(state, news);
    });
    assert.deepEqual(lines, []);
  });
});
