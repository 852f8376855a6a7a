import assert from "node:assert/strict";
import { RequestDeadlines } from "../../support/faults/request-deadlines";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimWorld } from "../../support/objectbucket/claim-world";

describe("an API server that makes the claim and does not answer", function () {
  this.timeout(60_000);
  let world: ClaimWorld;
  let deadlines: RequestDeadlines;
  before(async () => {
    world = await ClaimWorld.start();
    deadlines = new RequestDeadlines();
  });
  after(async () => {
    deadlines.restore();
    await world.stop();
  });

  it("a destroy after it leaves nothing", async () => {
    const made = await world.stack("greenfield");
    world.api.at = ({ stage, method }) => {
      if (stage === "before" || method !== "POST") return undefined;
      deadlines.pass();
      return new Promise(() => undefined);
    };
    assert.equal((await made.stack.up()).stoppedAt, "claim");
    world.api.at = () => undefined;
    assertEnded(await made.stack.destroy());
    await world.assertNothingLeft(made);
  });
});
