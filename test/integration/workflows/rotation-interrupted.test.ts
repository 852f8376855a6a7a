import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { changeMetadata } from "../../../provider/kubernetes/metadata";
import { secretKind } from "../../../provider/kubernetes/object";
import { accountsChange, accountsOf } from "../../../provider/models/account-record";
import type { AccessObjects } from "../../../provider/models/model";
import { bucketAccessKind, finalizers } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { observeAccess } from "../../../provider/models/registry";
import { failedResource, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { lifecycles, Steps, type AccessSteps } from "../../support/workflows/steps";
import { Workflow } from "../../support/workflows/workflow";
import { finalizersOf, statusOf } from "../kubernetes/objects";

const { access: accesses, secret: secrets } = lifecycles;
const denied = { code: status.PERMISSION_DENIED, message: "quota" };

describe("a rotation that is disturbed, step by step, on a real API server", function () {
  this.timeout(120_000);
  let flow: Workflow;
  let steps: Steps;
  let asked: AccessSteps;
  /** Outputs of the access before its rotation. */
  let old: Properties;
  let secret: Properties;
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
    count += 1;
    const claimed = await steps.claim(`disturbed-${count}`);
    const made = (await lifecycles.bucket.create(claimed.inputs)).outputs;
    const driver = { ...wire(made["driver"]), retryBudgetSeconds: 0.5 };
    asked = await steps.access(`disturbed-${count}-rw`, claimed, { ...made, driver });
    old = (await accesses.create(inputs(1))).outputs;
    secret = (await secrets.create(ofSecret(old))).outputs;
    flow.driver.forget();
  });

  const inputs = (trigger: number): Properties => ({ ...asked.inputs, rotation: { trigger } });
  /** Inputs of the Secret with the keys of an access. */
  const ofSecret = ({ accessSecretKey }: Properties): Properties => ({
    ...asked.secret,
    data: { key: String(accessSecretKey) },
  });
  /** The next run of the program, up to the moment at which the engine decides. */
  const nextRun = async (state: Properties, trigger: number) => {
    beginRun();
    return accesses.diff(state, (await accesses.check(state, inputs(trigger))).inputs);
  };
  /** An `up` for an access in the state, after a refresh or not. */
  const upWith = async (state: Properties, trigger: number): Promise<Properties> =>
    (await nextRun(state, trigger)).changes === true ? accesses.update(state, inputs(trigger)) : state;
  const refreshed = async (state: Properties) => {
    beginRun();
    return (await accesses.read(state)).outputs;
  };
  /** A grant whose effect is there and whose answer is lost; the entry is kept in the state. */
  const failedGrant = async (trigger: number): Promise<Properties> => {
    const back = flow.driver.on("done", () => Promise.resolve({ code: status.UNAVAILABLE, message: "down" }));
    const failed = await failedResource(accesses.create(inputs(trigger)));
    back();
    return wire(failed.properties);
  };
  const live = () => [...flow.driver.accounts.keys()];
  const records = async () => {
    const found = await flow.cluster.client.get(bucketAccessKind, asked.access);
    return found === undefined ? [] : accountsOf(found);
  };
  const statusNow = () => statusOf(flow.cluster, bucketAccessKind, asked.access);
  const finalizersNow = () => finalizersOf(flow.cluster, bucketAccessKind, asked.access);
  /** The Secret has keys that work. */
  const secretWorks = async (): Promise<void> => {
    const reference = { namespace: asked.access.namespace, name: String(asked.secret["name"]) };
    const found = await flow.cluster.client.get(secretKind, reference);
    const key = Buffer.from(String(wire(found?.["data"])["key"]), "base64").toString();
    const keys = [old, ...made].filter(({ accountId }) => live().includes(String(accountId)));
    assert.ok(keys.map(({ accessSecretKey }) => accessSecretKey).includes(key), "the Secret's key is alive");
  };
  let made: Properties[];
  beforeEach(() => {
    made = [];
  });
  const rotate = async (from: Properties, trigger: number): Promise<Properties> => {
    assert.deepEqual((await nextRun(from, trigger)).replaces, ["rotation"]);
    const { outputs } = await accesses.create(inputs(trigger));
    made.push(outputs);
    return outputs;
  };

  it("revokes no account whose keys the Secret still has, as with --target", async () => {
    await rotate(old, 2);
    await assert.rejects(
      accesses.delete(old),
      /still has the keys of account .*, so that account was not revoked\. Next: /,
    );
    await secretWorks();
    secret = await secrets.update(secret, ofSecret(made[0] ?? {}));
    await accesses.delete(old);
    await secretWorks();
  });

  it("revokes no account in use while its successor is asked for, also in a run that asks for nothing", async () => {
    await nextRun(old, 2);
    const failed = await failedGrant(2);
    beginRun();
    await assert.rejects(
      accesses.delete(old),
      /still has the keys of account .*, so that account was not revoked/,
    );
    await secretWorks();
    assert.equal(await statusNow().then((told) => wire(told)["accessGranted"]), true);
    beginRun();
    await secrets.delete(secret);
    await accesses.delete(old);
    await accesses.delete(failed);
    assert.deepEqual(live(), []);
    assert.deepEqual(await finalizersNow(), []);
  });

  it("revokes the account that ends first by another change, though a rotation of before was lost", async () => {
    await nextRun(old, 2);
    await failedGrant(2);
    beginRun();
    const changed = { ...inputs(1), protocol: "S3" };
    const diff = await accesses.diff(old, (await accesses.check(old, changed)).inputs);
    assert.deepEqual(diff.replaces, ["protocol"]);
    await accesses.delete(old);
    assert.ok(!live().includes(String(old["accountId"])));
  });

  it("hands out no dead key when a destroy is cut short after the old entry, with a refresh before the up or without", async () => {
    const fresh = await rotate(old, 2);
    secret = await secrets.update(secret, ofSecret(fresh));
    beginRun();
    await secrets.delete(secret);
    await accesses.delete(old);
    await upWith(fresh, 2);
    await assert.rejects(
      secrets.create(ofSecret(fresh)),
      /may already be revoked.*`pulumi up --refresh` grants it anew/,
    );
    const anew = await upWith(await refreshed(fresh), 2);
    made.push(anew);
    await secrets.create(ofSecret(anew));
    await secretWorks();
  });

  it("keeps the account in use with --replace, for which the engine asks no diff, also when the grant is refused", async () => {
    beginRun();
    await accesses.check(old, inputs(1));
    flow.driver.refuse("grant", denied);
    await assert.rejects(accesses.create(inputs(1)), /quota/);
    assert.deepEqual(flow.driver.rpcs(), ["grant"]);
    await secretWorks();
    assert.equal((await upWith(await refreshed(old), 1))["accountId"], old["accountId"]);
    await secretWorks();
    assert.deepEqual(
      (await records()).map(({ account, state }) => [account, state]),
      [[old["accountId"], "active"]],
    );
  });

  it("leaves the account in use alone when one ends whose grant failed before a newer trigger came", async () => {
    await nextRun(old, 2);
    const failed = await failedGrant(2);
    const fresh = await rotate(failed, 3);
    secret = await secrets.update(secret, ofSecret(fresh));
    await accesses.delete(old);
    const back = flow.driver.on("received", ({ rpc }) =>
      Promise.resolve(rpc === "revoke" ? { code: status.UNAVAILABLE, message: "down" } : undefined),
    );
    await assert.rejects(accesses.delete(failed));
    back();
    flow.driver.forget();
    await upWith(await refreshed(fresh), 3);
    assert.deepEqual(flow.driver.rpcs(), []);
    await accesses.delete(failed);
    assert.deepEqual(live(), [fresh["accountId"]]);
    assert.deepEqual(await statusNow(), { accountID: fresh["accountId"], accessGranted: true });
  });

  it("leaves the account in use alone when ends are repeated of which the state did not hear", async () => {
    const second = await rotate(old, 2);
    const third = await rotate(second, 3);
    secret = await secrets.update(secret, ofSecret(third));
    for (let run = 0; run < 2; run += 1) {
      beginRun();
      if (run === 1) {
        const gone = { code: status.NOT_FOUND, message: "gone" };
        flow.driver.refuse("revoke", gone, gone);
      }
      await printed(async () => {
        await accesses.delete(old);
        await accesses.delete(second);
      });
      assert.deepEqual(live(), [third["accountId"]]);
      assert.deepEqual(await statusNow(), { accountID: third["accountId"], accessGranted: true });
    }
  });

  it("lets a destroy leave nothing where the old entry left the state by another way, or went first", async () => {
    for (const way of ["pulumi state delete", "deleteBeforeReplace"]) {
      await nextRun(old, 2);
      if (way === "deleteBeforeReplace") {
        await secrets.delete(secret);
        await accesses.delete(old);
      }
      const fresh = (await accesses.create(inputs(2))).outputs;
      secret = (await secrets.create(ofSecret(fresh))).outputs;
      beginRun();
      await secrets.delete(secret);
      await accesses.delete(fresh);
      assert.deepEqual(live(), [], way);
      assert.deepEqual(await finalizersNow(), [], way);
      beginRun();
      old = (await accesses.create(inputs(1))).outputs;
      secret = (await secrets.create(ofSecret(old))).outputs;
    }
  });

  it("grants anew where a state of before the rotation is imported, refreshed and applied", async () => {
    const fresh = await rotate(old, 2);
    secret = await secrets.update(secret, ofSecret(fresh));
    await accesses.delete(old);
    const anew = await upWith(await refreshed(old), 1);
    made.push(anew);
    await secrets.update(secret, ofSecret(anew));
    await secretWorks();
  });

  it("loses no key whose grant had its effect in a run that was killed, when the next one is refused", async () => {
    await nextRun(old, 2);
    // The failed entry does not come into the state.
    await failedGrant(2);
    assert.equal(live().length, 2);
    await nextRun(old, 2);
    flow.driver.refuse("grant", denied);
    const failed = wire((await failedResource(accesses.create(inputs(2)))).properties);
    await secretWorks();
    beginRun();
    await secrets.delete(secret);
    await accesses.delete(failed);
    await accesses.delete(old);
    assert.deepEqual(live(), []);
    assert.deepEqual(await finalizersNow(), []);
  });

  it("says that the old account is the active one when the new one was lost and its successor is refused", async () => {
    await rotate(old, 2);
    await nextRun(old, 2);
    flow.driver.refuse("grant", denied);
    await assert.rejects(accesses.create(inputs(2)), /quota/);
    assert.deepEqual(live(), [old["accountId"]]);
    assert.deepEqual(
      (await records())
        .filter(({ state }) => state !== "revoked")
        .map(({ account, state }) => [account, state]),
      [[old["accountId"], "active"]],
    );
    assert.deepEqual(await statusNow(), { accountID: old["accountId"], accessGranted: true });
  });

  it("frees the object when both of its accounts end at the same time", async () => {
    const observer = () => observeAccess(asked.inputs["objects"] as AccessObjects);
    for (let round = 0; round < 10; round += 1) {
      await changeMetadata(flow.cluster.client, bucketAccessKind, asked.access, () => ({
        ...accountsChange([
          { name: "a", account: "a", state: "retiring", since: "2026-01-01T00:00:00Z" },
          { name: "b", account: "b", state: "active", since: "2026-01-01T00:00:00Z" },
        ]),
        finalizers: [finalizers.access],
      }));
      await Promise.all(["a", "b"].map((name) => observer().revoked({ name, accountId: name })));
      assert.deepEqual(await finalizersNow(), [], `round ${round}`);
    }
  });

  describe("from an account that was there before", () => {
    const byHand = { accountId: "by-hand", accessKeyId: "AKBYHAND", accessSecretKey: "secret-made-by-hand" };
    const adopting = (trigger: number): Properties => ({ ...inputs(trigger), existingAccount: byHand });
    let adopted: Properties;
    const revoked = () => flow.driver.requests().revoke.map(({ accountId }) => accountId);

    beforeEach(async () => {
      // The access of the other tests goes; its object stays.
      beginRun();
      await secrets.delete(secret);
      await accesses.delete(old);
      beginRun();
      adopted = (await accesses.create(adopting(1))).outputs;
      secret = (await secrets.create(ofSecret(adopted))).outputs;
      flow.driver.forget();
    });

    it("never revokes that, whichever of both is destroyed first", async () => {
      for (const first of ["old", "new"]) {
        beginRun();
        const news = (await accesses.check(adopted, adopting(2))).inputs;
        assert.deepEqual((await accesses.diff(adopted, news)).replaces, ["rotation"]);
        const fresh = (await accesses.create(adopting(2))).outputs;
        beginRun();
        await secrets.delete(secret);
        await printed(async () => {
          for (const outputs of first === "old" ? [adopted, fresh] : [fresh, adopted])
            await accesses.delete(outputs);
        });
        assert.ok(!revoked().includes("by-hand"), first);
        assert.deepEqual(live(), []);
        assert.deepEqual(await finalizersNow(), []);
        beginRun();
        adopted = (await accesses.create(adopting(1))).outputs;
        secret = (await secrets.create(ofSecret(adopted))).outputs;
      }
    });

    it("never revokes that when its run was killed before the state, and the program wants one of the driver's then", async () => {
      beginRun();
      await accesses.create(inputs(1));
      assert.deepEqual(flow.driver.rpcs(), ["grant"]);
      assert.equal(live().length, 1);
      assert.ok(
        !(await records()).some(({ adopted: marked }) => marked === true),
        "the record is of the new one",
      );
    });
  });
});
