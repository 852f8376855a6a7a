import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import type { BucketObjects } from "../../../provider/models/model";
import { readContent } from "../../../provider/models/cosi-2020-02/records";
import { observeBucket } from "../../../provider/models/registry";
import { FebruaryWorld } from "../../support/cosi-2020-02/february-world";
import type { Refusal } from "../../support/faults/api-proxy";
import { allAttempts, loseAnswer } from "../../support/faults/lost-answer";
import { assertEnded } from "../../support/faults/small-stack";
import { kinds } from "../kubernetes/cosi-2020-02/february";

/** The mark is on, nothing was sent, and it is seen again: the write was repeated, as its answer was lost. */
describe("a mark of this very call, the answer to whose write was lost (COSI proposal of 2020-02-27)", function () {
  this.timeout(120_000);
  let world: FebruaryWorld;

  before(async () => {
    world = await FebruaryWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
  });

  it("is no earlier attempt of the create: ALREADY_EXISTS names no bucket of this run [K02-111]", async () => {
    const { stack } = await world.stack("greenfield");
    world.driver.refuse("create", { code: status.ALREADY_EXISTS, message: "it is taken" });
    const found = loseAnswer(world.api, /^PATCH \S+\/bucketcontents\/\S+ .*create-sent":"/);
    const { stoppedAt, message } = await stack.up();
    found();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, /so it is not taken over/);
    assert.ok(!stack.state().has("bucket"), "nothing was made");
    assertEnded(await stack.destroy());
  });

  it("stops the revoke where no answer comes at all, and the next run does not believe it [K02-110]", async () => {
    const { stack } = await world.stack("brownfield");
    assertEnded(await stack.up());
    world.driver.refuse("revoke", { code: status.NOT_FOUND, message: "no secret of the administrator" });
    const markOfEnd = /^PATCH \S+\/bucketcontents\/\S+ .*end-sent":"true"/;
    const found = loseAnswer(world.api, markOfEnd, allAttempts);
    assert.match((await stack.destroy()).message, /500 InternalError/);
    found();
    const { stoppedAt, message } = await stack.destroy();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, /NOT_FOUND: no secret/);
    assertEnded(await stack.destroy());
  });

  it("comes last before the call: what is refused before it leaves none", async () => {
    const { stack } = await world.stack("brownfield");
    assertEnded(await stack.up());
    const { name, bucketId, driver, objects } = stack.outputs("bucket") as {
      name: string;
      bucketId: string;
      driver: { driverName: string };
      objects: BucketObjects;
    };
    const { driverName } = driver;
    const forbidden: Refusal = { code: 403, reason: "Forbidden", message: "not by this user" };
    world.api.at = ({ stage, path, body }) =>
      stage === "before" && path.endsWith("/status") && body.includes('"Deleting"') ? forbidden : undefined;
    const going = { name, bucketId, driverName, made: true, deletes: false };
    await assert.rejects(observeBucket(objects, { driverName }).beforeDelete(going), /403 Forbidden/);
    world.api.at = () => undefined;
    const content = await world.cluster.client.get(kinds.bucketContent, { name: objects.bucket.name });
    assert.equal(content === undefined || readContent(content).endSent, false);
    assertEnded(await stack.destroy());
  });
});
