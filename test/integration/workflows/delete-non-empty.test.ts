import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { emptyBucket } from "../../../drivers/s3/core/bucket-contents";
import {
  bucketClaimKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { errors, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";
import { Stack } from "../../support/stack";
import { cluster, newNamespace, type Cluster } from "../kubernetes/cluster";

const program = (namespace: string): string => `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });
const bucketClass = new cosi.objectstorage.BucketClass("gold", {
  driver, name: "${namespace}-gold", deletionPolicy: "Delete",
});
const bucketAccessClass = new cosi.objectstorage.BucketAccessClass("keys", {
  driver, name: "${namespace}-keys", authenticationType: "Key",
});
const photos = new cosi.objectstorage.BucketClaim("photos", { namespace: "${namespace}", bucketClass, protocols: ["S3"] });
const access = new cosi.objectstorage.BucketAccess("photos-rw", {
  namespace: "${namespace}", bucketClaim: photos, bucketAccessClass, credentialsSecretName: "photos-creds",
});
export const { bucketId, bucketName } = photos;
export const { accessKeyId, accessSecretKey: secretAccessKey } = access;
`;

interface Outputs {
  readonly bucketId: string;
  readonly bucketName: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

describe("a bucket that is not empty, on a real store and a real API server", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let kube: Cluster;
  let namespace: string;
  let stack: Stack;
  let outputs: Outputs;

  before(async () => {
    [store, kube] = await Promise.all([startStore(), cluster()]);
    admin = new StoreAdmin(store);
    namespace = await newNamespace(kube);
    stack = await Stack.create(
      { source: program(namespace) },
      {
        ...s3DriverEnvironment(store),
        ...quickProgram,
        KUBECONFIG: kube.target.kubeconfig ?? "",
        PULUMI_COSI_TRACE: "1",
      },
    );
    await stack.up();
    outputs = (await stack.outputs()) as unknown as Outputs;
    const { s3 } = new StoreAdmin({ ...store, ...outputs });
    await s3.send(new PutObjectCommand({ Bucket: outputs.bucketId, Key: "cat.jpg", Body: "a cat" }));
  });
  after(async () => {
    await stack.remove();
    await admin.cleanUp();
    await store.stop();
  });

  it("stops the destroy with the driver's words and the bucket's id, and loses nothing [GRPC-076] [OS1-075] [CASE-U19]", async () => {
    const text = await stack.fail(["destroy", "--yes", "--skip-preview"]);
    const [message = "", ...others] = errors(text);
    assert.deepEqual(others, []);
    assert.match(message, /^DriverDeleteBucket: FAILED_PRECONDITION: .*not empty/);
    assert.ok(message.includes(outputs.bucketId), message);
    assert.equal(await admin.get(outputs.bucketId, "cat.jpg"), "a cat");

    const { resources } = await stack.state();
    const kept = resources.find(({ type }) => type === "pulumi-nodejs:dynamic/cosi:Bucket");
    assert.equal(kept?.outputs?.["bucketId"], outputs.bucketId);
    const bucket = await kube.client.get(bucketKind, { name: outputs.bucketName });
    const claim = await kube.client.get(bucketClaimKind, { namespace, name: "photos" });
    assert.deepEqual(
      [bucket, claim].map((object) => object?.metadata.finalizers),
      [[finalizers.bucket], [finalizers.claim]],
    );
    for (const object of [bucket, claim]) assert.equal(object?.metadata.deletionTimestamp, undefined);
  });

  it("is deleted by a second destroy once it is empty, with no other call [GRPC-076]", async () => {
    await emptyBucket(admin.s3, outputs.bucketId);
    const text = await stack.destroy();
    assert.deepEqual(
      tracedRpcs(text).filter((rpc) => rpc !== "DriverGetInfo"),
      ["DriverDeleteBucket"],
    );
    assert.equal(await admin.bucketsNamed(outputs.bucketId), 0);
    assert.equal(await kube.client.get(bucketKind, { name: outputs.bucketName }), undefined);
    assert.deepEqual((await stack.state()).resources, []);
  });
});
