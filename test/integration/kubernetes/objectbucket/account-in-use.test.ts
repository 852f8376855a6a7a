import assert from "node:assert/strict";
import { provider as definitions } from "../../../../provider/kubernetes/custom-resource-definitions";
import { secretKind } from "../../../../provider/kubernetes/object";
import { accountsAnnotation } from "../../../../provider/models/account-record";
import {
  accountAnnotation,
  modelName,
  objectBucketClaimKind,
  revokeSentAnnotation,
} from "../../../../provider/models/objectbucket/kinds";
import { observeAccess } from "../../../../provider/models/registry";
import { cluster, newNamespace, type Cluster } from "../cluster";
import { createOwned, marks, owner } from "../objects";

describe("the account of a claim that is in use", function () {
  this.timeout(120_000);
  let kube: Cluster;

  before(async () => {
    kube = await cluster();
    await definitions.create({ kubernetes: kube.target, model: modelName, owner });
  });

  it("is not revoked while another one is asked for and the Secret has its keys, and is without the Secret", async () => {
    const namespace = await newNamespace(kube);
    const since = new Date().toISOString();
    const records = [
      { name: "first", account: "u-1", state: "retiring", since },
      { name: "second", state: "granting", since },
    ];
    const { metadata } = await createOwned(kube, objectBucketClaimKind, {
      namespace,
      name: "photos",
      spec: { storageClassName: "gold" },
      annotations: { ...marks, [accountAnnotation]: "u-1", [accountsAnnotation]: JSON.stringify(records) },
    });
    const { apiVersion, kind } = objectBucketClaimKind;
    const ownerReferences = [{ apiVersion, kind, name: "photos", uid: metadata.uid }];
    const secret = { namespace, name: "photos" };
    const stringData = { AWS_SECRET_ACCESS_KEY: "s3cr3t" };
    await kube.client.create(secretKind, { metadata: { ...secret, ownerReferences }, stringData });

    const observer = observeAccess({
      model: modelName,
      kubernetes: kube.target,
      access: { namespace, name: "photos", uid: metadata.uid },
      bucket: { name: "obc-photos", uid: "" },
      claim: { namespace, name: "photos" },
      secretName: "photos",
    });
    const handsOut = (values: readonly string[]): boolean => values.includes("s3cr3t");
    const account = { name: "first", accountId: "u-1", handsOut };
    await assert.rejects(
      observer.beforeRevoke(account),
      /Secret .*photos still has the keys of account u-1, so that account was not revoked\. Next: /,
    );
    const isMarked = async (): Promise<boolean> => {
      const found = await kube.client.get(objectBucketClaimKind, secret);
      return found?.metadata.annotations?.[revokeSentAnnotation] !== undefined;
    };
    assert.equal(await isMarked(), false);

    await kube.client.delete(secretKind, secret);
    assert.deepEqual(await observer.beforeRevoke(account), { earlierAttempt: false });
    assert.equal(await isMarked(), true);
  });
});
