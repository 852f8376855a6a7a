import assert from "node:assert/strict";
import { emptyBucket } from "../../../drivers/s3/core/bucket-contents";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Cluster } from "../../support/end-to-end/cluster";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { Stack } from "../../support/stack";

const namespace = "shop";
const allKinds = [bucketClassKind, bucketAccessClassKind, bucketKind, bucketClaimKind, bucketAccessKind];

/**
 * @param stackId What the program says of a state that was lost.
 * @param bare Of the bucket without objects: nothing in the cluster tells of it.
 */
const program = (
  existing: string,
  {
    stackId,
    trigger,
    bare = 'deletionPolicy: "Delete"',
  }: { stackId?: string; trigger: string; bare?: string },
): string => `
import * as cosi from "pulumi-cosi";
const namespace = "${namespace}";
${stackId === undefined ? "" : `cosi.objectstorage.install({ stackId: "${stackId}" });`}
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });

const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, deletionPolicy: "Delete", parameters: { emptyOnDelete: "true" },
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", { driver, authenticationType: "Key" });
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace, protocols: ["S3"], bucketClass: gold });
const archive = new cosi.objectstorage.BucketClaim("archive", {
  namespace, protocols: ["S3"],
  existingBucket: new cosi.objectstorage.Bucket("archive", {
    bucketClass: gold, existingBucketId: "${existing}", protocols: ["S3"],
  }),
});
const accesses = [
  new cosi.objectstorage.BucketAccess("photos-rw", {
    namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
  }),
  new cosi.objectstorage.BucketAccess("photos-rotated", {
    namespace, bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-rotated",
    rotation: { trigger: "${trigger}" },
  }),
  new cosi.objectstorage.BucketAccess("archive-rw", {
    namespace, bucketClaim: archive, bucketAccessClass: keys, credentialsSecretName: "archive-creds",
  }),
];
const logs = new cosi.Bucket("logs", { driver, ${bare} });
const logsKeys = new cosi.BucketAccess("logs-rw", { bucket: logs });

export const buckets = [photos.bucketId, logs.bucketId];
export const accounts = [...accesses, logsKeys].map(({ accountId }) => accountId);
export const users = [...accesses, logsKeys].map(({ accessKeyId, accessSecretKey }) => (
  { accessKeyId, secretAccessKey: accessSecretKey }
));
`;

interface Outputs {
  readonly buckets: readonly [string, string];
  readonly accounts: readonly [string, string, string, string];
  readonly users: readonly { readonly accessKeyId: string; readonly secretAccessKey: string }[];
}

describe("a stack whose state was lost, on a real store and a real API server", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let existing: string;
  let lost: Outputs;
  let stack: Stack;
  let stackId: string;
  let bare: string;
  let objects: ReadonlyMap<string, KubernetesObject>;

  const write = (options: Parameters<typeof program>[1]): string => program(existing, options);
  const newStack = (source: string): Promise<Stack> =>
    Stack.create({ source }, { ...s3DriverEnvironment(store), ...cluster.variables, ...quickProgram });

  /** What is there, by kind and name. */
  async function listed(kinds: readonly KubernetesKind[]): Promise<Map<string, KubernetesObject>> {
    const found = await Promise.all(
      kinds.map(async (kind) =>
        (await cluster.client.list(kind)).map(
          (object) => [`${kind.kind} ${object.metadata.name}`, object] as const,
        ),
      ),
    );
    return new Map(found.flat());
  }

  const uids = (all: ReadonlyMap<string, KubernetesObject>): Record<string, string | undefined> =>
    Object.fromEntries([...all].map(([name, { metadata }]) => [name, metadata.uid]));

  before(async () => {
    [store, cluster] = await Promise.all([startStore(), Cluster.start({ controllerManager: false })]);
    await cluster.createNamespace(namespace);
    admin = new StoreAdmin(store);
    existing = admin.name();
    await admin.makeBucket(existing);
    const before = await newStack(write({ trigger: "1" }));
    try {
      await before.up();
      before.write(write({ trigger: "2" }));
      await before.up();
      lost = (await before.outputs()) as unknown as Outputs;
    } finally {
      await before.remove();
    }
    for (const bucket of [...lost.buckets, existing]) {
      await admin.put(bucket, "before");
    }
    objects = await listed([...allKinds, secretKind]);
    bare = `existingBucketId: "${lost.buckets[1]}"`;
    stack = await newStack(write({ trigger: "2", bare }));
  });

  after(async () => {
    await stack.remove();
    for (const bucket of lost.buckets) {
      if ((await admin.bucketsNamed(bucket)) === 0) continue;
      await emptyBucket(admin.s3, bucket);
      await admin.removeBucket(bucket);
    }
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  it("takes nothing over by its names alone, and is told the id that its objects carry", async () => {
    const text = await stack.fail(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    const carried = new Set(
      [...objects.values()].flatMap(({ metadata }) => metadata.annotations?.[stackIdAnnotation] ?? []),
    );
    assert.equal(carried.size, 1);
    [stackId = ""] = carried;
    assert.match(text, new RegExp(`install\\(\\{ stackId: "${stackId}" \\}\\)`));
    assert.deepEqual(uids(await listed([...allKinds, secretKind])), uids(objects));
  });

  it("has all of its objects, buckets and accounts again with that id, the same as they were", async () => {
    stack.write(write({ trigger: "2", stackId, bare }));
    await stack.up();
    const outputs = (await stack.outputs()) as unknown as Outputs;
    assert.deepEqual(outputs.buckets, lost.buckets);
    const unrotated = ({ accounts: [first, , third] }: Outputs) => [first, third];
    assert.deepEqual(unrotated(outputs), unrotated(lost));
    // The names of a rotation are a matter of the state: the account that was the last one gives way to the first name.
    const users = await admin.users();
    assert.equal(users.includes(lost.accounts[1]), false);
    assert.deepEqual(await admin.keysOf(outputs.accounts[1]), [outputs.users[1]?.accessKeyId]);
    assert.deepEqual(uids(await listed([...allKinds, secretKind])), uids(objects));
    const buckets = [lost.buckets[0], lost.buckets[0], existing, lost.buckets[1]];
    for (const [index, bucket] of buckets.entries()) {
      const user = new StoreAdmin({ ...store, ...outputs.users[index] });
      assert.equal(await user.get(bucket, "before"), "text");
    }
  });

  it("is unchanged in the next preview, also after a refresh, and without the id", async () => {
    await stack.succeed(["preview", "--expect-no-changes"]);
    await stack.succeed(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    stack.write(write({ trigger: "2", bare }));
    await stack.up();
    await stack.succeed(["preview", "--expect-no-changes"]);
  });

  it("leaves nothing behind when it is destroyed", async () => {
    await stack.destroy();
    assert.deepEqual([...(await listed(allKinds)).keys()], []);
    const [made, bareBucket] = lost.buckets;
    const left = await Promise.all([made, existing, bareBucket].map((name) => admin.bucketsNamed(name)));
    assert.deepEqual(left, [0, 1, 1]);
    const mine = new Set(lost.accounts);
    assert.deepEqual(
      (await admin.users()).filter((user) => mine.has(user)),
      lost.accounts.slice(3),
    );
  });
});
