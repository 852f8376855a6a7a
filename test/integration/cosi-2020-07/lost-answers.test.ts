import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { ProposalWorld } from "../../support/cosi-2020-07/proposal-world";
import { allAttempts, loseAnswer } from "../../support/faults/lost-answer";
import { assertEnded } from "../../support/faults/small-stack";

/** The mark is on, nothing was sent, and it is seen again: the write was repeated, as its answer was lost. */
describe("a mark of this very call, the answer to whose write was lost (COSI proposal of 2020-07-08)", function () {
  this.timeout(120_000);
  let world: ProposalWorld;

  before(async () => {
    world = await ProposalWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
  });

  it("leaves ALREADY_EXISTS an error of the create [K07-136]", async () => {
    const { stack } = await world.stack();
    world.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "it is taken" });
    const found = loseAnswer(world.api, /^PATCH \S+\/buckets\/\S+ .*create-sent":"/);
    const { stoppedAt, message } = await stack.up();
    found();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, /it is taken/);
    assertEnded(await stack.up());
    assertEnded(await stack.destroy());
  });

  it("stops the revoke where no answer comes at all, and the next run does not believe it [K07-139]", async () => {
    const { stack } = await world.stack();
    assertEnded(await stack.up());
    world.driver.refuse("revoke", { code: status.NOT_FOUND, message: "no secret of the administrator" });
    const markOfRevoke = /^PATCH \S+\/bucketaccesses\/\S+ .*revoke-sent":"true"/;
    const found = loseAnswer(world.api, markOfRevoke, allAttempts);
    assert.match((await stack.destroy()).message, /500 InternalError/);
    found();
    const { stoppedAt, message } = await stack.destroy();
    assert.equal(stoppedAt, "access");
    assert.match(message, /no secret of the administrator/);
    assertEnded(await stack.destroy());
  });
});
