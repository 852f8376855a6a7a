import assert from "node:assert/strict";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimWorld, unknownBackend } from "../../support/objectbucket/claim-world";

describe("a destroy of a claim whose up was killed at its grant", function () {
  this.timeout(60_000);
  let world: ClaimWorld;
  before(async () => {
    world = await ClaimWorld.start();
  });
  after(() => world.stop());

  it("deletes nothing, as it says, while an account may live that the state does not know [OBC-083]", async () => {
    const made = await world.stack("greenfield");
    // The grant has had its effect and its account stands in the claim; the state does not have it.
    await world.kill(made, "up", ({ stage, body }) => stage === "after" && /cosi\/account":"\w/.test(body));
    world.forget();
    const { message } = await made.stack.destroy();
    assert.match(message, unknownBackend);
    assert.deepEqual(world.rpcs(), []);
    assert.equal(world.buckets().length, 1);
    assertEnded(await made.stack.up());
    assertEnded(await made.stack.destroy());
    await world.assertNothingLeft(made);
  });
});
