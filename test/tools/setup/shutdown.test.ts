import assert from "node:assert/strict";

import { identityOf } from "../../../tools/setup/process-identity.mjs";
import { startFixture } from "../fixtures/start-fixture";

describe("the end of a run by a signal", () => {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(codes)) {
    it(`ends children, closes what came last first and exits with ${code} on ${signal}`, async () => {
      const run = startFixture("closing.ts", []);
      assert.equal(await run.nextLine(), "child ready");
      process.kill(run.process.pid ?? 0, signal);
      const end = await run.ended;
      assert.deepEqual(end.output, ["child ready", "second closed", `first closed on ${signal}`]);
      assert.equal(end.code, code);
    });
  }

  it("is not disturbed by a second signal", async () => {
    const run = startFixture("closing.ts", []);
    await run.nextLine();
    run.process.kill("SIGTERM");
    assert.equal(await run.nextLine(), "second closed");
    run.process.kill("SIGINT");
    const end = await run.ended;
    assert.deepEqual(end.output.slice(1), ["second closed", "first closed on SIGTERM"]);
    assert.equal(end.code, 143);
  });

  it("comes when the process that started it is gone, if that is asked for", async () => {
    const parent = startFixture("parent.ts", []);
    const pid = Number(await parent.nextLine());
    assert.notEqual(identityOf(pid), undefined);
    parent.process.kill("SIGKILL");
    // The child has the same stdout, which is closed when both have ended.
    assert.deepEqual((await parent.ended).output, [String(pid), "closed"]);
  });
});
