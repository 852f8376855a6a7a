import assert from "node:assert/strict";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  AuthenticationType,
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { bucketAccessKind, bucketKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { answers, paths } from "../../support/cosi-v1alpha1";
import type { RecordedCall } from "../../support/fake-driver";
import { printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { lifecycles, Steps } from "../../support/workflows/steps";
import { StoringDriver } from "../../support/workflows/storing-driver";
import { Workflow } from "../../support/workflows/workflow";
import { statusOf } from "../kubernetes/objects";

const parameters = { tier: "hot" };
const accessParameters = { mode: "rw" };

describe("ids and requests from Create to Delete, on a real API server", function () {
  this.timeout(120_000);
  let flow: Workflow;
  let steps: Steps;

  before(async () => {
    flow = await Workflow.start();
    steps = new Steps(flow);
    await steps.classes({ parameters });
  });
  beforeEach(() => {
    beginRun();
    flow.driver.forget();
  });
  after(() => flow.stop());

  /** Creates, grants, revokes and deletes; gives what the objects said meanwhile. */
  async function wholeLife(name: string, driver = flow.driver) {
    const { cluster } = flow;
    const claimed = await steps.claim(name, { parameters });
    const reference = driverReference(driver.fake.endpoint);
    const bucket = await lifecycles.bucket.create({ ...claimed.inputs, driver: reference });
    const bucketStatus = await statusOf(cluster, bucketKind, claimed.bucket);
    const asked = await steps.access(`${name}-rw`, claimed, bucket.outputs, accessParameters);
    const access = await lifecycles.access.create(asked.inputs);
    const accessStatus = await statusOf(cluster, bucketAccessKind, asked.access);
    beginRun();
    await lifecycles.access.delete(access.outputs);
    await steps.deleteObject(bucketAccessKind, asked.access);
    await lifecycles.bucket.delete(bucket.outputs);
    return { claimed, asked, bucket, access, bucketStatus, accessStatus };
  }

  const full = "/:=%é".repeat(400).slice(0, 1999);
  const ids = ["arn:aws:s3:::photos", "account/bucket=photos", "photos%2F2019", full + "x".repeat(49)];
  for (const [index, id] of ids.entries()) {
    it(`keeps the id ${id.slice(0, 30)} of ${id.length} characters byte for byte in status, Grant, Revoke and Delete [OS1-022]`, async () => {
      flow.driver.bucketIdOf = () => id;
      flow.driver.accountIdOf = () => `account of ${id}`.slice(0, 2048);
      const { bucketStatus, accessStatus } = await quietly(() => wholeLife(`odd-${index}`));
      const { grant, revoke, delete: deleted } = flow.driver.requests();
      const accountId = `account of ${id}`.slice(0, 2048);
      assert.deepEqual(bucketStatus, { bucketReady: true, bucketID: id });
      assert.deepEqual(accessStatus, { accessGranted: false, accountID: accountId });
      assert.deepEqual(
        grant.map(({ bucketId }) => bucketId),
        [id],
      );
      assert.deepEqual(
        revoke.map((request) => [request.bucketId, request.accountId]),
        [[id, accountId]],
      );
      assert.deepEqual(
        deleted.map(({ bucketId }) => bucketId),
        [id],
      );
      assert.deepEqual([...flow.driver.buckets, ...flow.driver.accounts], []);
    });
  }

  describe("with ids of the driver's own", () => {
    let life: Awaited<ReturnType<typeof wholeLife>>;
    let calls: readonly RecordedCall[];

    before(async () => {
      beginRun();
      flow.driver.forget();
      flow.driver.bucketIdOf = (name) => `id-of-${name}`;
      flow.driver.accountIdOf = (name) => `account-of-${name}`;
      // A new connection, which asks for the name.
      await flow.driver.becomes(flow.driver.name);
      life = await quietly(() => wholeLife("photos"));
      calls = [...flow.driver.fake.calls];
      assert.deepEqual(flow.driver.rpcs(), ["create", "grant", "revoke", "delete"]);
    });
    const bytes = (path: string): string[] =>
      calls.filter((call) => call.path === path).map(({ body }) => body.toString("hex"));
    const hex = (encoded: { finish(): Uint8Array }): string => Buffer.from(encoded.finish()).toString("hex");

    it("calls the five RPCs by their paths, and no other [OS1-050]", () => {
      const called = [...new Set(calls.map(({ path }) => path))];
      assert.deepEqual(called, [
        "/cosi.v1alpha1.Identity/DriverGetInfo",
        "/cosi.v1alpha1.Provisioner/DriverCreateBucket",
        "/cosi.v1alpha1.Provisioner/DriverGrantBucketAccess",
        "/cosi.v1alpha1.Provisioner/DriverRevokeBucketAccess",
        "/cosi.v1alpha1.Provisioner/DriverDeleteBucket",
      ]);
    });

    it("sends in Create the Bucket's name and parameters, in Grant the bucket's id, a name from the access's UID, Key and the class's parameters, and nothing else [OS1-050]", () => {
      const name = `bucket-${life.claimed.claim.uid}`;
      assert.deepEqual(bytes(paths.create), [
        hex(DriverCreateBucketRequest.encode({ name, parameters: new Map(Object.entries(parameters)) })),
      ]);
      assert.deepEqual(bytes(paths.grant), [
        hex(
          DriverGrantBucketAccessRequest.encode({
            bucketId: `id-of-${name}`,
            name: `ba-${life.asked.access.uid}`,
            authenticationType: AuthenticationType.Key,
            parameters: new Map(Object.entries(accessParameters)),
          }),
        ),
      ]);
    });

    it("sends in Revoke the stored parameters of the access class, in Delete those of the class, and nothing else [OS1-050] [OS1-051]", () => {
      const bucketId = `id-of-bucket-${life.claimed.claim.uid}`;
      assert.deepEqual(bytes(paths.revoke), [
        hex(
          DriverRevokeBucketAccessRequest.encode({
            bucketId,
            accountId: `account-of-ba-${life.asked.access.uid}`,
            revokeAccessContext: new Map(Object.entries(accessParameters)),
          }),
        ),
      ]);
      assert.deepEqual(bytes(paths.delete), [
        hex(
          DriverDeleteBucketRequest.encode({
            bucketId,
            deleteContext: new Map(Object.entries(parameters)),
          }),
        ),
      ]);
    });
  });

  it("is understood by a driver of the older proto, which has neither context [OS1-051]", async () => {
    const understood: string[][] = [];
    const older = await new StoringDriver().start();
    older.fake
      .on(paths.revoke, (body) => {
        understood.push(textFields(body, 2));
        return answers.revoked();
      })
      .on(paths.delete, (body) => {
        understood.push(textFields(body, 1));
        return answers.deleted();
      });
    try {
      const { claimed, asked } = await wholeLife("older", older);
      assert.deepEqual(understood, [[claimed.bucket.name, `ba-${asked.access.uid}`], [claimed.bucket.name]]);
    } finally {
      older.fake.stop();
    }
  });
});

/** Does something that warns of the ids, which is proved elsewhere. */
async function quietly<Result>(action: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await printed(async () => results.push(await action()));
  const [result] = results;
  if (result === undefined) throw new Error("nothing came of it");
  return result;
}

/** The text fields 1 to `known` of a message, as generated code reads it that knows no others. */
function textFields(body: Uint8Array, known: number): string[] {
  const reader = new BinaryReader(body);
  const found: string[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field <= known) found.push(reader.string());
    else reader.skip(type);
  }
  return found;
}
