import assert from "node:assert/strict";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketAccessKind, finalizers } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { observeAccess } from "../../../provider/models/registry";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessTo, claimedBucket, finalizersOf, installDefinitions } from "./objects";

describe("a Secret that a killed run has written and no state knows", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
    namespace = await newNamespace(kube);
  });

  /** An access with a Secret of its name, whose owner has this UID. @returns the finalizers after the revoke. */
  async function revokedWithSecretOf(name: string, ownerUid?: string): Promise<string[] | undefined> {
    const objects = await accessTo(kube, await claimedBucket(kube, namespace, `of-${name}`), name);
    const { apiVersion, kind } = bucketAccessKind;
    await kube.client.create(secretKind, {
      metadata: {
        namespace,
        name: objects.secretName,
        finalizers: [finalizers.secret],
        ownerReferences: [{ apiVersion, kind, name, uid: ownerUid ?? objects.access.uid, controller: true }],
      },
    });
    await observeAccess(objects).revoked({ name: "ba", accountId: "account" });
    return finalizersOf(kube, secretKind, { namespace, name: objects.secretName });
  }

  it("has nothing that holds it once its access is revoked: it goes with its owner", async () => {
    assert.deepEqual(await revokedWithSecretOf("ours"), []);
  });

  it("keeps its finalizer if it is another access's", async () => {
    const other = "00000000-0000-4000-8000-000000000000";
    assert.deepEqual(await revokedWithSecretOf("theirs", other), [finalizers.secret]);
  });
});
