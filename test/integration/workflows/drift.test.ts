import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import {
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
  type ObjectReference,
} from "../../../provider/kubernetes/object";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { diagnostics } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";
import { Workflow } from "../../support/workflows/workflow";

const program = (endpoint: string, namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
const gold = new cosi.objectstorage.BucketClass("gold", {
  driver, name: "${namespace}-gold", deletionPolicy: "Delete", parameters: { color: "gold" },
});
const keys = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "${namespace}-keys", authenticationType: "Key",
});
for (const name of ["edited", "deleted"]) {
  const bucketClaim = new cosi.objectstorage.BucketClaim(name, {
    namespace: "${namespace}", bucketClass: gold, protocols: ["S3"],
  });
  new cosi.objectstorage.BucketAccess(name + "-rw", {
    namespace: "${namespace}", bucketClaim, bucketAccessClass: keys, credentialsSecretName: name + "-creds",
    secretLabels: { app: "shop" },
  });
}
`;

describe("what is done to the objects by hand, on a real API server without a controller", function () {
  this.timeout(300_000);
  let workflow: Workflow;
  let stack: Stack;
  const buckets: Record<string, string> = {};

  const referenceTo = (kind: KubernetesKind, name: string): ObjectReference =>
    kind === bucketKind || kind === bucketClassKind || kind === bucketAccessClassKind
      ? { name }
      : { namespace: workflow.namespace, name };
  const get = (kind: KubernetesKind, name: string): Promise<KubernetesObject | undefined> =>
    workflow.cluster.client.get(kind, referenceTo(kind, name));
  const bucketOf = (claim: string): string => buckets[claim] ?? "";
  /** All objects of a claim, and the classes. */
  const objectsOf = (claim: string): [KubernetesKind, string][] => [
    [bucketClaimKind, claim],
    [bucketKind, bucketOf(claim)],
    [bucketAccessKind, `${claim}-rw`],
    [secretKind, `${claim}-creds`],
    [bucketClassKind, `${workflow.namespace}-gold`],
    [bucketAccessClassKind, `${workflow.namespace}-keys`],
  ];
  /** What a user or a driver reads of the objects of a claim, by kind. */
  const contents = async (claim: string): Promise<Record<string, unknown>> => {
    const entries = objectsOf(claim).map(
      async ([kind, name]) => [kind.kind, contentOf(await get(kind, name))] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  };

  const uids = (claim: string): Promise<(string | undefined)[]> =>
    Promise.all(objectsOf(claim).map(async ([kind, name]) => (await get(kind, name))?.metadata.uid));

  before(async () => {
    workflow = await Workflow.start();
    const { driver, namespace } = workflow;
    stack = await workflow.stack(program(driver.fake.endpoint, namespace));
    await stack.up();
    for (const claim of ["edited", "deleted"]) {
      buckets[claim] = `bucket-${String((await get(bucketClaimKind, claim))?.metadata.uid)}`;
    }
    driver.forget();
  });
  after(() => workflow.stop());

  describe("edits of spec, status, finalizers and Secret", () => {
    let original: Record<string, unknown>;
    let sameUids: (string | undefined)[];
    let refreshed: string;
    let up: string;

    before(async () => {
      const { client } = workflow.cluster;
      original = await contents("edited");
      sameUids = await uids("edited");
      const [claim, bucket, access, secret, bucketClass, accessClass] = objectsOf("edited").map(
        ([kind, name]) => ({ kind, reference: referenceTo(kind, name) }),
      ) as [Target, Target, Target, Target, Target, Target];
      const patch = ({ kind, reference }: Target, change: object): Promise<unknown> =>
        client.patch(kind, reference, change);
      const patchStatus = ({ kind, reference }: Target, status: Record<string, unknown>): Promise<unknown> =>
        client.patchStatus(kind, reference, status);

      await patch(claim, { spec: { protocols: ["GCP"] }, metadata: { finalizers: null } });
      await patchStatus(claim, { bucketReady: false, bucketName: "elsewhere" });
      await patch(bucket, { spec: { parameters: { color: "red" } }, metadata: { finalizers: null } });
      await patchStatus(bucket, { bucketReady: false, bucketID: "elsewhere" });
      await patch(access, {
        spec: { credentialsSecretName: "elsewhere-creds" },
        metadata: { finalizers: null },
      });
      await patchStatus(access, { accessGranted: false, accountID: "somebody" });
      await patch(secret, {
        data: { BucketInfo: "e30=", more: "bW9yZQ==" },
        metadata: { finalizers: null, labels: { app: "other" } },
      });
      await patch(bucketClass, { deletionPolicy: "Retain", parameters: { color: "red" } });
      await patch(accessClass, { authenticationType: "IAM" });
      refreshed = await stack.succeed(["refresh", "--yes", "--skip-preview", "--diff"]);
      up = await stack.succeed(["up", "--yes", "--skip-preview", "--diff"]);
    });

    it("are shown by a refresh [OS1-079]", () => {
      for (const text of [
        /BucketClaim's finalizer cosi\.\S+\/bucketclaim-protection is missing/,
        /claim's status\.bucketName is \\?"elsewhere\\?"/,
        /claim's status\.bucketReady is not true/,
        /Bucket's finalizer cosi\.\S+\/bucket-protection is missing/,
        /Bucket's status\.bucketReady is not true/,
        /Bucket's status\.bucketID is \\?"elsewhere\\?"/,
        /BucketAccess's status\.accountID is \\?"somebody\\?"/,
        /BucketAccess's finalizer cosi\.\S+\/bucketaccess-protection is missing/,
        /Bucket's finalizer cosi\.\S+\/bucketaccess-bucket-protection is missing/,
        /BucketAccess's status\.accessGranted is not true/,
        /finalizer cosi\.\S+\/secret-protection is missing/,
        /label app is other/,
        /=> "GCP"/,
        /=> "red"/,
        /=> "elsewhere-creds"/,
        /data key BucketInfo was changed/,
        /data key more was added/,
        /=> "IAM"/,
      ])
        assert.match(refreshed, text);
      assert.doesNotMatch(refreshed + up, /e30=|bW9yZQ==/);
    });

    it("are taken back by the up after it, without a call [OS1-079]", async () => {
      assert.deepEqual(await contents("edited"), original);
      assert.deepEqual(workflow.driver.fake.paths(), []);
      assert.deepEqual(await uids("edited"), sameUids);
    });
  });

  describe("deletions of claim, Bucket, access and Secret, as kubectl makes them", () => {
    let original: Record<string, unknown>;
    let refreshed: string;

    before(async () => {
      original = await contents("deleted");
      for (const [kind, name] of objectsOf("deleted").slice(0, 4)) {
        await workflow.cluster.client.delete(kind, referenceTo(kind, name));
      }
      refreshed = await stack.succeed(["refresh", "--yes", "--skip-preview"]);
    });

    it("are held by the finalizers, and a refresh names each object and the way on [OS1-038]", async () => {
      for (const [kind, name] of objectsOf("deleted").slice(0, 3)) {
        const path = kind === bucketKind ? name : `${workflow.namespace}/${name}`;
        const lines = diagnostics(refreshed)
          .split("\n")
          .filter((line) => line.includes(`${kind.kind} ${path}: `));
        assert.equal(lines.length, 1, `${kind.kind}: ${refreshed}`);
        assert.match(
          lines[0] ?? "",
          /is being deleted since .* held by .*`pulumi destroy` completes the deletion/,
        );
        assert.notEqual((await get(kind, name))?.metadata.deletionTimestamp, undefined);
      }
      assert.match(
        diagnostics(refreshed),
        new RegExp(
          `Secret ${workflow.namespace}/deleted-creds: is being deleted; .pulumi up. writes it again with the same content`,
        ),
      );
    });

    it("leave a Secret that the up after it builds again with the same content, without a call [OS1-038]", async () => {
      const deleted = await get(secretKind, "deleted-creds");
      await stack.up();
      const secret = await get(secretKind, "deleted-creds");
      assert.notEqual(secret?.metadata.uid, deleted?.metadata.uid);
      assert.equal(secret?.metadata.deletionTimestamp, undefined);
      assert.deepEqual(contentOf(secret), original["Secret"]);
      assert.deepEqual(secret?.metadata.finalizers, [finalizers.secret]);
      assert.deepEqual(workflow.driver.fake.paths(), []);
    });

    it("are completed by a destroy [OS1-038] [CASE-C20] [CASE-P08]", async () => {
      await stack.destroy();
      const { client } = workflow.cluster;
      const { namespace, driver } = workflow;
      for (const kind of [bucketClaimKind, bucketAccessKind, secretKind]) {
        assert.deepEqual(await client.list(kind, { namespace }), []);
      }
      for (const claim of ["edited", "deleted"])
        assert.equal(await get(bucketKind, bucketOf(claim)), undefined);
      assert.deepEqual(driver.rpcs().sort(), ["delete", "delete", "revoke", "revoke"]);
      assert.deepEqual([...driver.buckets.keys(), ...driver.accounts.keys()], []);
      assert.deepEqual((await stack.state()).resources, []);
    });
  });
});

interface Target {
  readonly kind: KubernetesKind;
  readonly reference: ObjectReference;
}

/** An object without what the server writes of its own. */
function contentOf(object: KubernetesObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { metadata, ...content } = object;
  const { name, labels, finalizers: present = [], ownerReferences } = metadata;
  const annotations = isRecord(metadata.annotations) ? Object.keys(metadata.annotations).sort() : [];
  return {
    ...content,
    metadata: { name, labels, annotations, ownerReferences, finalizers: [...present].sort() },
  };
}
