import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { bucketAccessKind, bucketKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { sleep } from "../../../provider/driver/call/retry";
import { beginRun } from "../../support/run";
import { KilledRun } from "../../support/workflows/killed-run";
import { lifecycles, Steps, type ClaimSteps } from "../../support/workflows/steps";
import { Workflow } from "../../support/workflows/workflow";
import { finalizersOf, statusOf } from "../kubernetes/objects";

const down = { code: status.UNAVAILABLE, message: "the store is down" };

describe("create and grant, step by step, on a real API server", function () {
  this.timeout(120_000);
  let flow: Workflow;
  let steps: Steps;

  before(async () => {
    flow = await Workflow.start();
    steps = new Steps(flow);
    await steps.classes();
  });
  beforeEach(async () => {
    beginRun();
    flow.driver.mintsKeyPerGrant = false;
    await flow.restart();
  });
  after(() => flow.stop());

  /** A claim whose bucket is made. */
  async function madeBucket(name: string) {
    const claimed = await steps.claim(name);
    const { outputs } = await lifecycles.bucket.create(claimed.inputs);
    return { claimed, bucket: outputs };
  }

  async function askedAccess(name: string) {
    const { claimed, bucket } = await madeBucket(name);
    return { claimed, bucket, asked: await steps.access(`${name}-rw`, claimed, bucket) };
  }

  it("asks the driver for its name before each of create, grant, revoke and delete, and sends nothing to another one [OS1-052] [CASE-C29]", async () => {
    const right = flow.driver.name;
    const refusedBy = async (rpc: string, action: () => Promise<unknown>): Promise<void> => {
      await flow.driver.becomes("other.example.com");
      flow.driver.forget();
      await assert.rejects(action, (error: Error) => {
        assert.match(error.message, new RegExp(`^${rpc} for .* was not sent`));
        assert.match(error.message, /belongs to driver "fake\.example\.com"/);
        assert.match(error.message, /calls itself "other\.example\.com"/);
        return true;
      });
      assert.deepEqual(flow.driver.fake.paths(), ["DriverGetInfo"]);
      await flow.driver.becomes(right);
    };

    const claimed = await steps.claim("guarded");
    await refusedBy("DriverCreateBucket", () => lifecycles.bucket.create(claimed.inputs));
    assert.deepEqual(await finalizersOf(flow.cluster, bucketKind, claimed.bucket), []);
    const bucket = await lifecycles.bucket.create(claimed.inputs);
    const asked = await steps.access("guarded-rw", claimed, bucket.outputs);
    await refusedBy("DriverGrantBucketAccess", () => lifecycles.access.create(asked.inputs));
    assert.deepEqual(await finalizersOf(flow.cluster, bucketAccessKind, asked.access), []);
    const access = await lifecycles.access.create(asked.inputs);
    beginRun();
    await refusedBy("DriverRevokeBucketAccess", () => lifecycles.access.delete(access.outputs));
    await lifecycles.access.delete(access.outputs);
    await refusedBy("DriverDeleteBucket", () => lifecycles.bucket.delete(bucket.outputs));
    await lifecycles.bucket.delete(bucket.outputs);
  });

  it("sends one name in three tries that fail, in a run that is killed, and in the one after it [OS1-034] [CASE-C03]", async () => {
    const claimed = await steps.claim("retried");
    flow.driver.refuse("create", down, down, down);
    await killedIn("create", "bucket/provider", claimed.inputs);
    const bucket = await lifecycles.bucket.create(claimed.inputs);
    assert.deepEqual(
      flow.driver.requests().create.map(({ name }) => name),
      new Array(5).fill(`bucket-${claimed.claim.uid}`),
    );

    const { access, inputs } = await steps.access("retried-rw", claimed, bucket.outputs);
    flow.driver.refuse("grant", down, down, down);
    await killedIn("grant", "bucket-access/provider", inputs);
    await lifecycles.access.create(inputs);
    assert.deepEqual(
      flow.driver.requests().grant.map(({ name }) => name),
      new Array(5).fill(`ba-${access.uid}`),
    );
    assert.equal(flow.driver.buckets.size, 1);
  });

  it("grants the same account again after a run that was killed before it stored the account, with one key [OS1-056]", async () => {
    const { claimed, asked } = await askedAccess("before");
    await killedIn("grant", "bucket-access/provider", asked.inputs);
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), undefined);
    const { outputs } = await lifecycles.access.create(asked.inputs);
    assert.deepEqual(flow.driver.rpcs(), ["create", "grant", "grant"]);
    await requireGranted(claimed, asked, outputs);
  });

  it("revokes the account of a run that was killed after it stored the account, and grants anew, with one key [OS1-056] [GRPC-055]", async () => {
    const { claimed, asked } = await askedAccess("after");
    flow.driver.mintsKeyPerGrant = true;
    const run = await KilledRun.start();
    await run.createUntil("bucket-access/provider", asked.inputs, async () => {
      while ((await statusOf(flow.cluster, bucketAccessKind, asked.access)) === undefined) await sleep(20);
    });
    const accountID = `ba-${asked.access.uid}`;
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), {
      accountID,
      accessGranted: false,
    });
    const lost = flow.driver.liveKeys();
    const { outputs } = await lifecycles.access.create(asked.inputs);
    assert.deepEqual(flow.driver.rpcs(), ["create", "grant", "revoke", "grant"]);
    assert.equal(flow.driver.requests().revoke[0]?.accountId, accountID);
    await requireGranted(claimed, asked, outputs);
    assert.notDeepEqual(flow.driver.liveKeys(), lost);
  });

  /** A create in another process, which is killed when the driver has done the work and not answered. */
  async function killedIn(
    rpc: "create" | "grant",
    file: string,
    inputs: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const run = await KilledRun.start();
    let takeBack = (): void => undefined;
    await run.createUntil(
      file,
      inputs,
      () =>
        new Promise((resolve) => {
          takeBack = flow.driver.on("done", async (call) => {
            if (call.rpc === rpc) {
              await run.kill();
              resolve();
            }
            return undefined;
          });
        }),
    );
    takeBack();
  }

  /** One key lives, the state has it, and with the Secret the access says that it is granted. */
  async function requireGranted(
    { bucket }: ClaimSteps,
    asked: Awaited<ReturnType<Steps["access"]>>,
    outputs: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const keys = [...flow.driver.accounts.values()]
      .filter(({ bucketId }) => bucketId === bucket.name)
      .flatMap((account) => account.keys);
    assert.deepEqual(keys, [outputs["accessKeyId"]]);
    await lifecycles.secret.create(asked.secret);
    assert.deepEqual(await statusOf(flow.cluster, bucketAccessKind, asked.access), {
      accountID: outputs["accountId"],
      accessGranted: true,
    });
  }
});
