import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import {
  bucketAccessKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { accountsOf } from "../../../provider/models/account-record";
import { failedResource, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { lifecycles, Steps, type AccessSteps, type ClaimSteps } from "../../support/workflows/steps";
import { Workflow } from "../../support/workflows/workflow";
import { finalizersOf, statusOf } from "../kubernetes/objects";

const { access: accesses, secret: secrets } = lifecycles;

describe("the rotation of an access, step by step, on a real API server", function () {
  this.timeout(120_000);
  let flow: Workflow;
  let steps: Steps;
  let asked: AccessSteps;
  /** Outputs of the access before its rotation. */
  let old: Properties;
  let secret: Properties;
  let bucket: ClaimSteps["bucket"];
  let count = 0;

  before(async () => {
    flow = await Workflow.start();
    steps = new Steps(flow);
    await steps.classes();
  });
  after(() => flow.stop());

  beforeEach(async () => {
    beginRun();
    flow.driver.mintsKeyPerGrant = true;
    flow.driver.accounts.clear();
    flow.driver.forget();
    count += 1;
    const claimed = await steps.claim(`rotated-${count}`);
    bucket = claimed.bucket;
    const made = (await lifecycles.bucket.create(claimed.inputs)).outputs;
    asked = await steps.access(`rotated-${count}-rw`, claimed, {
      ...made,
      driver: { ...wire(made["driver"]), retryBudgetSeconds: 0.5 },
    });
    old = (await accesses.create(inputs(1))).outputs;
    secret = (await secrets.create(asked.secret)).outputs;
    flow.driver.forget();
  });

  const inputs = (trigger: number): Properties => ({ ...asked.inputs, rotation: { trigger } });
  /** The next run of the program, up to the moment at which the engine decides. */
  const nextRun = async (state: Properties, trigger: number) => {
    beginRun();
    return accesses.diff(state, (await accesses.check(state, inputs(trigger))).inputs);
  };
  /** The driver fails from now on, until the result is called. */
  const takeDown = () =>
    flow.driver.on("received", () => Promise.resolve({ code: status.UNAVAILABLE, message: "down" }));
  const object = async () => {
    const found = await flow.cluster.client.get(bucketAccessKind, asked.access);
    assert.ok(found !== undefined);
    return found;
  };
  /** The accounts that the object tells of. */
  const told = async () => accountsOf(await object()).map(({ account, state }) => [account, state]);
  const liveAccounts = () => [...flow.driver.accounts.keys()];
  const nothingIsLeft = async () => {
    assert.deepEqual(liveAccounts(), []);
    assert.deepEqual(await finalizersOf(flow.cluster, bucketAccessKind, asked.access), []);
  };

  it("leaves one account with one key, and the object tells of both, with times", async () => {
    assert.deepEqual(await told(), [[old["accountId"], "active"]]);
    assert.deepEqual((await nextRun(old, 2)).replaces, ["rotation"]);
    const made = (await accesses.create(inputs(2))).outputs;
    assert.deepEqual(await told(), [
      [old["accountId"], "retiring"],
      [made["accountId"], "active"],
    ]);
    secret = await secrets.update(secret, { ...asked.secret, data: { BucketInfo: '{"n":2}' } });
    assert.equal(flow.driver.liveKeys().length, 2);

    await accesses.delete(old);
    assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke"]);
    assert.deepEqual(liveAccounts(), [made["accountId"]]);
    assert.equal(flow.driver.liveKeys().length, 1);
    const accounts = accountsOf(await object());
    assert.deepEqual(accounts.map(({ state }) => state).sort(), ["active", "revoked"]);
    for (const { since } of accounts) assert.ok(Date.parse(since) <= Date.now());
    const after = { accountID: made["accountId"], accessGranted: true };
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), after);
    assert.deepEqual(await finalizersOf(flow.cluster, bucketAccessKind, asked.access), [finalizers.access]);
    assert.deepEqual((await accesses.read(made)).outputs["drift"], null);

    beginRun();
    await secrets.delete(secret);
    await accesses.delete(made);
    await nothingIsLeft();
  });

  it("ends with one account when it was killed after the grant, before the state, and the old one works until then", async () => {
    await nextRun(old, 2);
    await accesses.create(inputs(2));
    const [, lost] = flow.driver.liveKeys();

    assert.deepEqual((await nextRun(old, 2)).replaces, ["rotation"]);
    const made = (await accesses.create(inputs(2))).outputs;
    assert.ok(liveAccounts().includes(String(old["accountId"])));
    await secrets.update(secret, asked.secret);
    await accesses.delete(old);
    assert.deepEqual(liveAccounts(), [made["accountId"]]);
    assert.equal(flow.driver.liveKeys().length, 1);
    assert.notEqual(flow.driver.liveKeys()[0], lost, "the key that nobody has is revoked");
  });

  it("leaves nothing when it was killed before the grant, or after it, and the stack is destroyed", async () => {
    for (const granted of [false, true]) {
      await nextRun(old, 2);
      if (granted) await accesses.create(inputs(2));
      else {
        const back = takeDown();
        await failedResource(accesses.create(inputs(2)));
        back();
      }
      // Neither is in the state.
      beginRun();
      await secrets.delete(secret);
      await accesses.delete(old);
      await nothingIsLeft();
      beginRun();
      old = (await accesses.create(inputs(1))).outputs;
      secret = (await secrets.create(asked.secret)).outputs;
    }
  });

  it("is undone by a refresh and an up when it was killed and the trigger is taken back", async () => {
    await nextRun(old, 2);
    const made = (await accesses.create(inputs(2))).outputs;
    beginRun();
    const seen = (await accesses.read(old)).outputs;
    assert.match(String(seen["drift"]), /status\.accountID is/);
    assert.deepEqual((await nextRun(seen, 1)).changes, true);
    const kept = await accesses.update(seen, inputs(1));
    assert.deepEqual(liveAccounts(), [old["accountId"]]);
    assert.equal(kept["checksum"], old["checksum"]);
    assert.deepEqual(await told(), [
      [made["accountId"], "revoked"],
      [old["accountId"], "active"],
    ]);
  });

  it("lets the old account work on when the new grant is refused or has no known outcome", async () => {
    await nextRun(old, 2);
    flow.driver.refuse("grant", { code: status.PERMISSION_DENIED, message: "not now" });
    await assert.rejects(accesses.create(inputs(2)), /not now/);
    assert.deepEqual(await told(), [[old["accountId"], "active"]]);
    const granted = { accountID: old["accountId"], accessGranted: true };
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), granted);
    assert.deepEqual(await finalizersOf(flow.cluster, bucketAccessKind, asked.access), [finalizers.access]);

    await nextRun(old, 2);
    const back = takeDown();
    const failed = wire((await failedResource(accesses.create(inputs(2)))).properties);
    back();
    flow.driver.forget();
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), granted);
    // The engine has marked the old entry for its end, and asks for nothing of it before that.
    beginRun();
    const made = await accesses.update(failed, inputs(2));
    assert.deepEqual(flow.driver.rpcs(), ["grant"]);
    await secrets.update(secret, asked.secret);
    await accesses.delete(old);
    assert.deepEqual(liveAccounts(), [made["accountId"]]);
  });

  it("takes a revoke for done that a killed run has sent, and repeats one that was refused", async () => {
    await nextRun(old, 2);
    const made = (await accesses.create(inputs(2))).outputs;
    await secrets.update(secret, asked.secret);
    flow.driver.refuse("revoke", { code: status.PERMISSION_DENIED, message: "not yours" });
    await assert.rejects(accesses.delete(old), /not yours/);
    beginRun();
    flow.driver.refuse("revoke", { code: status.NOT_FOUND, message: "no such account" });
    await assert.rejects(accesses.delete(old), /no such account/);
    beginRun();
    await accesses.delete(old);
    assert.deepEqual(liveAccounts(), [made["accountId"]]);
    // Killed before the state: the account is gone, and the object says so.
    beginRun();
    flow.driver.refuse("revoke", { code: status.NOT_FOUND, message: "no such account" });
    await accesses.delete(old);
  });

  it("that was not finished leaves nothing when both accounts are in the state and all goes, in either order", async () => {
    for (const order of ["old first", "new first"]) {
      await nextRun(old, 2);
      const made = (await accesses.create(inputs(2))).outputs;
      beginRun();
      await secrets.delete(secret);
      for (const outputs of order === "old first" ? [old, made] : [made, old]) await accesses.delete(outputs);
      await nothingIsLeft();
      const onBucket = await finalizersOf(flow.cluster, bucketKind, bucket);
      assert.ok(onBucket?.includes(finalizers.bucketInUse) === false, "the Bucket is free");
      beginRun();
      old = (await accesses.create(inputs(1))).outputs;
      secret = (await secrets.create(asked.secret)).outputs;
    }
  });
});
