import assert from "node:assert/strict";
import { extraKeys } from "../../../components/secrets/extra-keys";
import type { GrantedAccess } from "../../../components/secrets/granted-access";
import type { Credentials } from "../../../provider/credentials/credentials";

function access(changes: Partial<Credentials> = {}): GrantedAccess {
  return {
    accessUid: "uid",
    bucketName: "bucket-1",
    bucketId: "photos",
    authenticationType: "Key",
    credentials: {
      protocol: "S3",
      accessKeyId: "AKIA",
      accessSecretKey: "very-secret",
      endpoint: "https://s3.example.com",
      region: "eu-1",
      accessToken: null,
      expiry: null,
      ...changes,
    },
  };
}

describe("the keys of the AWS environment", () => {
  it("are those that the SDKs read [OS1-048]", () => {
    assert.deepEqual(extraKeys(["aws-environment"], access()), {
      AWS_ACCESS_KEY_ID: "AKIA",
      AWS_SECRET_ACCESS_KEY: "very-secret",
      AWS_REGION: "eu-1",
      AWS_DEFAULT_REGION: "eu-1",
      AWS_ENDPOINT_URL_S3: "https://s3.example.com",
      BUCKET_NAME: "photos",
    });
  });

  it("are none unless asked for", () => {
    assert.deepEqual(extraKeys([], access()), {});
  });

  it("leave the endpoint out for a store without one", () => {
    assert.equal("AWS_ENDPOINT_URL_S3" in extraKeys(["aws-environment"], access({ endpoint: null })), false);
  });

  const missing: [Partial<Credentials>, RegExp][] = [
    [{ region: null }, /needs a region, which the driver does not report: give region in the program/],
    [{ accessKeyId: null }, /needs an access key/],
    [{ accessSecretKey: null }, /needs a secret key/],
    [{ protocol: "Azure" }, /needs S3 credentials, but the driver returned those of Azure/],
  ];
  for (const [changes, message] of missing) {
    it(`refuse by name what is missing: ${JSON.stringify(changes)}`, () => {
      assert.throws(
        () => extraKeys(["aws-environment"], access(changes)),
        (error) =>
          error instanceof Error && message.test(error.message) && !error.message.includes("very-secret"),
      );
    });
  }
});
