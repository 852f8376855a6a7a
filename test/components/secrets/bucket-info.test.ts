import assert from "node:assert/strict";
import { bucketInfo } from "../../../components/secrets/bucket-info";
import type { GrantedAccess } from "../../../components/secrets/granted-access";
import type { Credentials } from "../../../provider/credentials/credentials";
import writtenByGo from "./bucket-info.fixtures.json";

const nothing: Credentials = {
  protocol: "S3",
  accessKeyId: null,
  accessSecretKey: null,
  endpoint: null,
  region: null,
  accessToken: null,
  expiry: null,
};

function access(credentials: Partial<Credentials>, rest: Partial<GrantedAccess> = {}): GrantedAccess {
  return {
    accessUid: "uid",
    bucketName: "bucket-1",
    bucketId: "id/1",
    authenticationType: "Key",
    credentials: { ...nothing, ...credentials },
    ...rest,
  };
}

const s3 = access({
  accessKeyId: "AKIA",
  accessSecretKey: 'a+b/c="\\',
  endpoint: "https://s3.example.com",
  region: "eu-1",
});

describe("the layout BucketInfo", () => {
  const cases: [keyof typeof writtenByGo, GrantedAccess][] = [
    ["s3", s3],
    [
      "s3 without endpoint and region",
      access({ accessKeyId: "AKIA", accessSecretKey: "secret" }, { authenticationType: "IAM" }),
    ],
    [
      "azure",
      access({
        protocol: "Azure",
        accessToken: "sv=2025&sig=a<b>\u2028é&se=x",
        expiry: "2027-01-31T13:30:00.75+01:00",
      }),
    ],
    ["azure without expiry", access({ protocol: "Azure", accessToken: "token" })],
  ];
  for (const [name, granted] of cases) {
    it(`is byte for byte what Go writes: ${name} [OS1-039]`, () => {
      assert.deepEqual(bucketInfo(granted), { BucketInfo: writtenByGo[name] });
    });
  }

  it("names the protocol of the credentials, and never an empty one [OS1-045]", () => {
    assert.match(bucketInfo(s3)["BucketInfo"] ?? "", /"protocols":\["S3"\]/);
  });

  it("has the backend's id beside the Bucket object's name, or in its place if asked to", () => {
    const names = (text: string | undefined) => {
      const { spec } = JSON.parse(text ?? "") as { spec: { bucketName: string; bucketID: string } };
      return [spec.bucketName, spec.bucketID];
    };
    assert.deepEqual(names(bucketInfo(s3)["BucketInfo"]), ["bucket-1", "id/1"]);
    assert.deepEqual(names(bucketInfo(s3, { bucketInfoName: "id" })["BucketInfo"]), ["id/1", "id/1"]);
  });

  it("names the protocol of an identity of the platform as the API does, without keys", () => {
    const { spec } = JSON.parse(
      bucketInfo(access({ protocol: "GCS" }, { authenticationType: "IAM" }))["BucketInfo"] ?? "",
    ) as { spec: Record<string, unknown> };
    assert.deepEqual([spec["protocols"], spec["secretS3"], spec["secretAzure"]], [["GCP"], null, null]);
  });

  it("refuses credentials that it has no place for", () => {
    assert.throws(
      () => bucketInfo(access({ protocol: "GCS" })),
      /S3 and Azure only, but the driver returned those of GCS/,
    );
  });
});
