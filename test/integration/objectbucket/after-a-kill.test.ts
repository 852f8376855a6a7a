import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { decoded } from "../../../provider/kubernetes/data-object-form";
import { secretKind } from "../../../provider/kubernetes/object";
import { secretForm } from "../../../provider/kubernetes/secret-object";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimWorld, type ClaimStack } from "../../support/objectbucket/claim-world";
import { writesOf } from "../../support/objectbucket/claim-writes";
import { textOf } from "../../support/faults/write-faults";

/** What a refusal says: that something may have ended, and how to go on; of a bucket that is gone the driver tells. */
const wayOn = /(?:may (?:already be revoked|be gone)|NOT_FOUND: no such bucket).*Next: /;

for (const claimCase of ["greenfield", "brownfield", "bucket with account"] as const) {
  describe(`an up after a destroy that was killed at a call (object bucket claims, ${claimCase})`, function () {
    this.timeout(180_000);
    let world: ClaimWorld;

    before(async () => {
      world = await ClaimWorld.start();
      world.driver.on("received", (call) =>
        Promise.resolve(
          claimCase === "greenfield" &&
            call.rpc === "grant" &&
            !world.buckets().includes(call.request.bucketId)
            ? { code: status.NOT_FOUND, message: "no such bucket" }
            : undefined,
        ),
      );
    });

    after(() => world.stop());

    beforeEach(() => {
      world.reset();
    });

    for (const { what, request, stage } of momentsAtCalls()) {
      for (const isRefreshed of [false, true]) {
        const run = isRefreshed ? "refresh and up" : "up";
        it(`hands out no key that is dead: ${run}, killed ${stage} ${what}`, async () => {
          const made = await world.claimFor(claimCase, "destroy");
          await world.kill(made, "destroy", (point) => point.stage === stage && request.test(textOf(point)));
          if (isRefreshed) assertEnded(await made.stack.refresh());
          const { stoppedAt, message } = await made.stack.up();
          await assertNoDeadKeys(made);
          if (stoppedAt === undefined) await world.assertBound(made);
          else assert.match(message, wayOn);
          assertEnded(await made.stack.destroy());
          await world.assertNothingLeft(made);
        });
      }
    }

    /** Between each call and the write that tells of it, and after that write, of which the state knows nothing. */
    function momentsAtCalls() {
      const writes = writesOf("destroy", claimCase);
      return writes.flatMap((write, index) => {
        const isAfterCall = write.sent.length > (writes[index - 1]?.sent.length ?? 0);
        return isAfterCall ? (["before", "after"] as const).map((stage) => ({ ...write, stage })) : [];
      });
    }

    /** What a workload finds works, if it finds anything. */
    async function assertNoDeadKeys({ namespace }: ClaimStack): Promise<void> {
      const secret = await world.cluster.client.get(secretKind, { namespace, name: "photos" });
      if (secret === undefined) return;
      const live = world.accounts().flatMap(({ keys }) => keys.map(({ accessKeyId }) => accessKeyId));
      const { AWS_ACCESS_KEY_ID: given = "" } = decoded(secretForm, secret);
      assert.ok(live.includes(given), `the Secret has ${given}, and what works is ${live.join()}`);
    }
  });
}
