import assert from "node:assert/strict";

import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  IAMClient,
  PutUserPolicyCommand,
} from "@aws-sdk/client-iam";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

import { startStore } from "../../tools/local/store";
import type { Store } from "../../tools/local/store-access";

const START_TIMEOUT_MS = 150_000;

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

describe("a store", function () {
  this.timeout(START_TIMEOUT_MS);
  const stores: Store[] = [];
  const clients: { destroy: () => void }[] = [];

  before(async () => {
    stores.push(...(await Promise.all([startStore(), startStore()])));
  });
  after(async () => {
    for (const client of clients) client.destroy();
    await Promise.all(stores.map((store) => store.stop()));
  });

  function s3({ endpoint, region, accessKeyId, secretAccessKey }: Store, keys?: Keys): S3Client {
    const credentials = keys ?? { accessKeyId, secretAccessKey };
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    clients.push(client);
    return client;
  }

  function iam({ endpoint, region, accessKeyId, secretAccessKey }: Store): IAMClient {
    const client = new IAMClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
    clients.push(client);
    return client;
  }

  it("keeps objects in buckets", async () => {
    const [store] = stores;
    assert.ok(store);
    const client = s3(store);
    await client.send(new CreateBucketCommand({ Bucket: "photos" }));
    await client.send(new PutObjectCommand({ Bucket: "photos", Key: "cat", Body: "meow" }));
    const found = await client.send(new GetObjectCommand({ Bucket: "photos", Key: "cat" }));
    assert.equal(await found.Body?.transformToString(), "meow");
  });

  it("gives a user keys that can do what the user's policy says, and no more", async () => {
    const [store] = stores;
    assert.ok(store);
    await s3(store).send(new CreateBucketCommand({ Bucket: "shared" }));
    await s3(store).send(new PutObjectCommand({ Bucket: "shared", Key: "text", Body: "text" }));
    await iam(store).send(new CreateUserCommand({ UserName: "reader" }));
    const Statement = [
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::shared/*"] },
      { Effect: "Allow", Action: ["s3:ListBucket"], Resource: ["arn:aws:s3:::shared"] },
    ];
    const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement });
    await iam(store).send(
      new PutUserPolicyCommand({ UserName: "reader", PolicyName: "read", PolicyDocument }),
    );
    const { AccessKey } = await iam(store).send(new CreateAccessKeyCommand({ UserName: "reader" }));
    const reader = s3(store, {
      accessKeyId: AccessKey?.AccessKeyId ?? "",
      secretAccessKey: AccessKey?.SecretAccessKey ?? "",
    });
    const found = await reader.send(new GetObjectCommand({ Bucket: "shared", Key: "text" }));
    assert.equal(await found.Body?.transformToString(), "text");
    await assert.rejects(reader.send(new PutObjectCommand({ Bucket: "shared", Key: "text", Body: "x" })), {
      name: "AccessDenied",
    });
  });

  it("is another one than the one beside it", async () => {
    const [one, other] = stores;
    assert.ok(one && other);
    assert.notEqual(one.endpoint, other.endpoint);
    await s3(one).send(new CreateBucketCommand({ Bucket: "only-here" }));
    const { Buckets = [] } = await s3(other).send(new ListBucketsCommand({}));
    assert.deepEqual(Buckets, []);
    await assert.rejects(s3(other, one).send(new ListBucketsCommand({})), { name: "InvalidAccessKeyId" });
  });
});
