import assert from "node:assert/strict";
import { assertEnded } from "../../support/faults/small-stack";
import { claimCommands, ClaimWorld, unknownBackend } from "../../support/objectbucket/claim-world";
import { writesOf } from "../../support/objectbucket/claim-writes";
import { textOf } from "../../support/faults/write-faults";

/** Writes of an `up` that tell the claim of a bucket or an account before the state does. */
const marks = ["the mark of the create", "the mark of the grant", "the account"];

for (const claimCase of ["greenfield", "brownfield", "bucket with account"] as const) {
  describe(`a run that is killed, and run again (objectbucket.io/v1alpha1, ${claimCase})`, function () {
    this.timeout(180_000);
    let world: ClaimWorld;

    before(async () => {
      world = await ClaimWorld.start();
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    for (const command of claimCommands) {
      for (const { what, request, stage, stopsAt } of momentsOf(command)) {
        // Between a call and the write of the state.
        const isUnknown = command === "up" && ["bucket", "access"].includes(stopsAt);
        const ids = isUnknown && claimCase !== "brownfield" ? " [OBC-066]" : "";
        it(`ends as an undisturbed one: ${command}, ${stage} ${what}${ids}`, async () => {
          const made = await world.claimFor(claimCase, command);
          await world.kill(made, command, (point) => point.stage === stage && request.test(textOf(point)));
          if (command === "up" && stage === "after" && marks.includes(what)) {
            const accounts = world.accounts();
            assert.match((await made.stack.destroy()).message, unknownBackend);
            assert.deepEqual(world.accounts(), accounts);
          }
          assertEnded(await world.run(made, command));
          await world.assertDone(made, command);
        });
      }
    }

    /** After each write, and between each call and the write that tells of it. */
    function momentsOf(command: (typeof claimCommands)[number]) {
      const writes = writesOf(command, claimCase);
      return writes.flatMap((write, index) => {
        const isAfterCall = write.sent.length > (writes[index - 1]?.sent.length ?? 0);
        const after = { ...write, stage: "after" as const };
        return isAfterCall ? [{ ...write, stage: "before" as const }, after] : [after];
      });
    }
  });
}
