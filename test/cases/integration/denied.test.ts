import assert from "node:assert/strict";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { DriverClient } from "../../drivers/s3/support/driver-client";
import type { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { Setting } from "../../integration/drivers-s3/setting";

describe("what an issued key may not do at a real store", function () {
  this.timeout(180_000);
  let setting: Setting;
  let admin: StoreAdmin;
  let client: DriverClient;
  let bucket: string;
  let other: string;

  before(async () => {
    setting = await Setting.start();
    admin = setting.admin;
    ({ client } = await setting.startDriver());
    [bucket, other] = [admin.name(), admin.name()];
    for (const name of [bucket, other]) {
      await client.create(name);
      await admin.put(name, "object");
    }
  });
  after(() => setting.stop());

  /** The key of a new account. */
  async function grant(accessMode: string): Promise<S3Client> {
    const { credentials } = await client.grant(bucket, admin.name(), { accessMode });
    const secrets = credentials.get("s3")?.secrets;
    return admin.clientWith(secrets?.get("accessKeyID") ?? "", secrets?.get("accessSecretKey") ?? "");
  }

  it("with read-only access: any write, by object, upload, tag, ACL, policy or copy; list and get work [CASE-P12]", async () => {
    const s3 = await grant("ro");
    const object = { Bucket: bucket, Key: "object" };
    const { UploadId } = await admin.s3.send(
      new CreateMultipartUploadCommand({ Bucket: bucket, Key: "large" }),
    );
    const upload = { Bucket: bucket, Key: "large", UploadId };
    const Tagging = { TagSet: [{ Key: "a", Value: "b" }] };
    const Policy = JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: "*", Action: "s3:*", Resource: `arn:aws:s3:::${bucket}/*` }],
    });
    const writes: Record<string, () => Promise<unknown>> = {
      put: () => s3.send(new PutObjectCommand({ ...object, Body: "new" })),
      "put of a new one": () => s3.send(new PutObjectCommand({ Bucket: bucket, Key: "new", Body: "new" })),
      copy: () =>
        s3.send(new CopyObjectCommand({ Bucket: bucket, Key: "copy", CopySource: `${bucket}/object` })),
      delete: () => s3.send(new DeleteObjectCommand(object)),
      "begin an upload": () => s3.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: "mine" })),
      "upload a part": () => s3.send(new UploadPartCommand({ ...upload, PartNumber: 1, Body: "part" })),
      "abort an upload": () => s3.send(new AbortMultipartUploadCommand(upload)),
      "tag an object": () => s3.send(new PutObjectTaggingCommand({ ...object, Tagging })),
      "untag an object": () => s3.send(new DeleteObjectTaggingCommand(object)),
      "ACL of an object": () => s3.send(new PutObjectAclCommand({ ...object, ACL: "public-read" })),
      "tag the bucket": () => s3.send(new PutBucketTaggingCommand({ Bucket: bucket, Tagging })),
      "ACL of the bucket": () => s3.send(new PutBucketAclCommand({ Bucket: bucket, ACL: "public-read" })),
      "policy of the bucket": () => s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy })),
      "no policy of the bucket": () => s3.send(new DeleteBucketPolicyCommand({ Bucket: bucket })),
      versioning: () =>
        s3.send(
          new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: "Enabled" } }),
        ),
    };
    for (const [what, write] of Object.entries(writes)) assert.equal(await outcome(write()), "denied", what);
    const many = await s3
      .send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: [{ Key: "object" }] } }))
      .then(
        ({ Deleted = [] }) => Deleted.length,
        () => 0,
      );
    assert.equal(many, 0, "delete of several");

    assert.equal(await outcome(s3.send(new GetObjectCommand(object))), "done");
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    assert.deepEqual(
      Contents.map(({ Key }) => Key),
      ["object"],
    );
    assert.equal(await admin.get(bucket, "object"), "text");
    await admin.s3.send(new AbortMultipartUploadCommand(upload));
  });

  it("with any access: make a bucket, delete its own, list another or learn of its name [CASE-P16]", async () => {
    for (const mode of ["rw", "ro", "wo"]) {
      const s3 = await grant(mode);
      const made = admin.name();
      assert.equal(await outcome(s3.send(new CreateBucketCommand({ Bucket: made }))), "denied", mode);
      assert.equal(await admin.bucketsNamed(made), 0);
      assert.equal(await outcome(s3.send(new DeleteBucketCommand({ Bucket: bucket }))), "denied", mode);
      assert.equal(await outcome(s3.send(new ListObjectsV2Command({ Bucket: other }))), "denied", mode);
      const { Buckets = [] } = await s3.send(new ListBucketsCommand({})).catch(() => ({ Buckets: [] }));
      const names = Buckets.map(({ Name = "" }) => Name);
      assert.ok(!names.includes(other), `${mode}: ${names.join()}`);
    }
    assert.equal(await admin.bucketsNamed(bucket), 1);
  });
});

/** Whether the store did it, said that it is not allowed, or said something else. */
async function outcome(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "done";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.name === "AccessDenied" ? "denied" : error.name;
  }
}
