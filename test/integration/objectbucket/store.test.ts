import assert from "node:assert/strict";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { closeConnections } from "../../../provider/driver/connections";
import { provisionerPrefix } from "../../../provider/models/objectbucket/kinds";
import { assertEnded, SmallStack } from "../../support/faults/small-stack";
import { ClaimBench, decodedData } from "../../support/objectbucket/claim-bench";
import { claimProgram, type ClaimOptions, type ClaimPlace } from "../../support/objectbucket/claim-program";
import { ClaimWorkflow } from "../../support/objectbucket/claim-workflow";
import { DRIVER_NAME, Setting } from "../drivers-s3/setting";

describe("object bucket claims at a real store, by the shipped driver", function () {
  this.timeout(180_000);
  let setting: Setting;
  let bench: ClaimBench;
  let place: ClaimPlace;
  const clients: S3Client[] = [];

  before(async () => {
    [setting, bench] = [await Setting.start(), new ClaimBench(await ClaimWorkflow.start())];
    const { socket } = await setting.startDriver();
    place = { ...bench.place, endpoint: `unix://${socket}` };
  });

  after(async () => {
    await closeConnections();
    for (const client of clients) client.destroy();
    await bench.workflow.stop();
    await setting.stop();
  });

  const stackOf = (name: string, options: ClaimOptions = {}): SmallStack =>
    new SmallStack(
      claimProgram(place, name, {
        driver: { driverName: DRIVER_NAME },
        storageClass: { parameters: {}, ...options.storageClass },
        inputs: { provisioner: `${provisionerPrefix}${DRIVER_NAME}`, ...options.inputs },
      }),
    );

  /** A client that knows no more than Secret and ConfigMap of a claim tell. */
  async function clientOf(name: string): Promise<{ client: S3Client; Bucket: string }> {
    const secret = decodedData(await bench.secret(name));
    const where = (await bench.configMap(name))?.["data"] as Record<string, string>;
    const scheme = where["S3_BUCKET_SSL"] === "yes" ? "https" : "http";
    const client = new S3Client({
      endpoint: `${scheme}://${where["BUCKET_HOST"] ?? ""}:${where["BUCKET_PORT"] ?? ""}`,
      region: where["BUCKET_REGION"] ?? "",
      forcePathStyle: true,
      credentials: {
        accessKeyId: secret["AWS_ACCESS_KEY_ID"] ?? "",
        secretAccessKey: secret["AWS_SECRET_ACCESS_KEY"] ?? "",
      },
    });
    clients.push(client);
    return { client, Bucket: where["BUCKET_NAME"] ?? "" };
  }

  it("gives keys that write, read, list and delete objects, and no more [OBC-003] [OBC-005] [OBC-120]", async () => {
    const stack = stackOf("user", { storageClass: { parameters: { emptyOnDelete: "true" } } });
    const other = stackOf("neighbour");
    assertEnded(await stack.up());
    assertEnded(await other.up());
    const { client, Bucket } = await clientOf("user");
    const { Bucket: foreign } = await clientOf("neighbour");
    await client.send(new PutObjectCommand({ Bucket, Key: "k", Body: "bytes" }));
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    assert.deepEqual(
      Contents.map(({ Key }) => Key),
      ["k"],
    );
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: "k" }));
    assert.equal(await Body?.transformToString(), "bytes");
    await client.send(new DeleteObjectCommand({ Bucket, Key: "k" }));
    await assert.rejects(client.send(new CreateBucketCommand({ Bucket: `${Bucket.slice(0, 40)}-more` })));
    await assert.rejects(client.send(new DeleteBucketCommand({ Bucket })));
    await assert.rejects(client.send(new ListObjectsV2Command({ Bucket: foreign })));
    // Emptied only as the class says: what is in the bucket goes with it.
    await client.send(new PutObjectCommand({ Bucket, Key: "left", Body: "bytes" }));
    assertEnded(await other.destroy());
    assertEnded(await stack.destroy());
    assert.equal(await setting.admin.bucketsNamed(Bucket), 0);
  });

  it("does not delete a bucket that is not empty, and does once it is [OBC-089]", async () => {
    const stack = stackOf("full");
    assertEnded(await stack.up());
    const { client, Bucket } = await clientOf("full");
    await client.send(new PutObjectCommand({ Bucket, Key: "k", Body: "bytes" }));
    const stopped = await stack.destroy();
    assert.match(stopped.message, new RegExp(`FAILED_PRECONDITION.*not empty.*${Bucket}`));
    assert.equal(await setting.admin.bucketsNamed(Bucket), 1);
    await setting.admin.remove(Bucket, "k");
    assertEnded(await stack.destroy());
    assert.equal(await setting.admin.bucketsNamed(Bucket), 0);
  });

  it("ends every key of a bucket that is retained, keeps its data, and binds it again by its name [OBC-087]", async () => {
    const stack = stackOf("kept", { storageClass: { reclaimPolicy: "Retain" } });
    assertEnded(await stack.up());
    const { client, Bucket } = await clientOf("kept");
    await client.send(new PutObjectCommand({ Bucket, Key: "k", Body: "bytes" }));
    assertEnded(await stack.destroy());
    await assert.rejects(client.send(new GetObjectCommand({ Bucket, Key: "k" })));
    const later = stackOf("later", {
      storageClass: { reclaimPolicy: "Retain", parameters: { bucketName: Bucket } },
      inputs: { generateBucketName: null },
    });
    assertEnded(await later.up());
    const again = await clientOf("later");
    assert.equal(again.Bucket, Bucket);
    const { Body } = await again.client.send(new GetObjectCommand({ Bucket, Key: "k" }));
    assert.equal(await Body?.transformToString(), "bytes");
    assertEnded(await later.destroy());
    await setting.admin.remove(Bucket, "k");
    await setting.admin.removeBucket(Bucket);
  });

  it("changes no setting of a bucket that was there, and ends with it as it was [OBC-071] [OBC-078]", async () => {
    const bucket = setting.admin.name();
    await setting.admin.makeBucket(bucket);
    const { s3 } = setting.admin;
    const policy = {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: "*",
          Action: "s3:GetObject",
          Resource: `arn:aws:s3:::${bucket}/public/*`,
        },
      ],
    };
    await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policy) }));
    await s3.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket: bucket,
        LifecycleConfiguration: {
          Rules: [{ ID: "old", Status: "Enabled", Filter: { Prefix: "tmp/" }, Expiration: { Days: 30 } }],
        },
      }),
    );
    const settings = async (): Promise<unknown> => [
      (await s3.send(new GetBucketPolicyCommand({ Bucket: bucket }))).Policy,
      (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }))).Rules,
    ];
    const before = await settings();
    const stack = stackOf("guest", {
      storageClass: { reclaimPolicy: "Retain", parameters: { bucketName: bucket } },
      inputs: { generateBucketName: null },
    });
    assertEnded(await stack.up());
    assert.deepEqual(await settings(), before);
    assertEnded(await stack.destroy());
    assert.deepEqual(await settings(), before);
    await setting.admin.removeBucket(bucket);
  });
});
