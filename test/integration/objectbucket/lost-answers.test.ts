import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import type { BucketObjects } from "../../../provider/models/model";
import {
  createSentAnnotation,
  endSentAnnotation,
  objectBucketClaimKind,
  revokeSentAnnotation,
} from "../../../provider/models/objectbucket/kinds";
import { observeBucket } from "../../../provider/models/registry";
import type { Refusal } from "../../support/faults/api-proxy";
import { allAttempts, loseAnswer } from "../../support/faults/lost-answer";
import { assertEnded } from "../../support/faults/small-stack";
import { ClaimWorld, type ClaimStack } from "../../support/objectbucket/claim-world";

const absent = { code: status.NOT_FOUND, message: "no secret of the administrator" };
const taken = { code: status.ALREADY_EXISTS, message: "it is taken" };
const markOfRevoke = /^PATCH \S+\/objectbucketclaims\/\S+ .*revoke-sent":"true"/;
const markOfCreate = /^PATCH \S+\/objectbucketclaims\/\S+ .*create-sent":"/;
const markOfEnd = /^PATCH \S+\/objectbucketclaims\/\S+ .*end-sent":"true"/;

/** The mark is on, nothing was sent, and it is seen again: the write was repeated, as its answer was lost. */
describe("a mark of this very call, the answer to whose write was lost (objectbucket.io/v1alpha1)", function () {
  this.timeout(180_000);
  let world: ClaimWorld;

  before(async () => {
    world = await ClaimWorld.start();
  });

  after(() => world.stop());

  beforeEach(() => {
    world.reset();
  });

  async function isMarked({ namespace }: ClaimStack, annotation: string): Promise<boolean> {
    const found = await world.cluster.client.get(objectBucketClaimKind, { namespace, name: "photos" });
    return found?.metadata.annotations?.[annotation] !== undefined;
  }

  it("leaves NOT_FOUND an error of the revoke, and goes again [OBC-091]", async () => {
    const made = await world.claimFor("greenfield", "destroy");
    world.driver.refuse("revoke", absent);
    const found = loseAnswer(world.api, markOfRevoke);
    const { stoppedAt, message } = await made.stack.destroy();
    found();
    assert.equal(stoppedAt, "access");
    assert.match(message, /NOT_FOUND: no secret.*revokeNotFound/s);
    assert.ok(!(await isMarked(made, revokeSentAnnotation)));
    assertEnded(await made.stack.destroy());
    await world.assertNothingLeft(made);
  });

  it("stops the revoke where no answer comes at all, and the next run does not believe it [OBC-091]", async () => {
    const made = await world.claimFor("greenfield", "destroy");
    world.forget();
    const found = loseAnswer(world.api, markOfRevoke, allAttempts);
    const unanswered = await made.stack.destroy();
    found();
    assert.match(unanswered.message, /500 InternalError/);
    assert.deepEqual(world.rpcs(), []);
    world.driver.refuse("revoke", absent);
    assert.match((await made.stack.destroy()).message, /NOT_FOUND: no secret/);
  });

  it("leaves ALREADY_EXISTS an error of the create, and goes again", async () => {
    const made = await world.stack("greenfield");
    world.driver.refuse("create", taken);
    const found = loseAnswer(world.api, markOfCreate);
    const { stoppedAt, message } = await made.stack.up();
    found();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, /ALREADY_EXISTS: it is taken/);
    assert.ok(!(await isMarked(made, createSentAnnotation)));
  });

  it("leaves ALREADY_EXISTS an error of the create of a bucket with its account, and goes again", async () => {
    const made = await world.stack("bucket with account");
    world.handler.refuse("create", taken);
    const found = loseAnswer(world.api, markOfCreate);
    const { stoppedAt, message } = await made.stack.up();
    found();
    assert.equal(stoppedAt, "bucket");
    assert.match(message, /ALREADY_EXISTS.*so it is not taken over/s);
    assert.ok(!(await isMarked(made, createSentAnnotation)));
  });

  it("goes again where the step after it is refused, so that nothing was sent", async () => {
    const made = await world.stack("greenfield");
    world.driver.refuse("create", { code: status.INVALID_ARGUMENT, message: "not so" });
    assert.equal((await made.stack.up()).stoppedAt, "bucket");
    const forbidden: Refusal = { code: 403, reason: "Forbidden", message: "not by this user" };
    world.api.at = ({ stage, path, body }) =>
      stage === "before" && path.endsWith("/status") && body.includes('"Pending"') ? forbidden : undefined;
    assert.match((await made.stack.up()).message, /403 Forbidden/);
    assert.ok(!(await isMarked(made, createSentAnnotation)));
  });

  it("is no earlier attempt to end a bucket with its account, and goes again where none is sent", async () => {
    const made = await world.claimFor("bucket with account", "destroy");
    const { name, bucketId, driver, parameters, objects } = made.stack.outputs("bucket") as {
      name: string;
      bucketId: string;
      driver: { driverName: string };
      parameters: Record<string, string>;
      objects: BucketObjects;
    };
    const { driverName } = driver;
    const observer = observeBucket(objects, { driverName, parameters, grantsAtCreate: true });
    const going = { name, bucketId, driverName, made: true, deletes: false };
    const unanswered = loseAnswer(world.api, markOfEnd, allAttempts);
    await assert.rejects(observer.beforeDelete(going), /500 InternalError/);
    unanswered();
    assert.ok(!(await isMarked(made, endSentAnnotation)));
    const repeated = loseAnswer(world.api, markOfEnd);
    assert.deepEqual(await observer.beforeDelete(going), { backend: false, earlierAttempt: false });
    repeated();
    assert.deepEqual(await observer.beforeDelete(going), { backend: false, earlierAttempt: true });
  });
});
