import assert from "node:assert/strict";
import { redact } from "../../../../provider/driver/secrets/redaction";
import { answers, secretKey } from "../../../support/cosi-v1alpha1";

const contract = "cosi.v1alpha1";
const hex = (text: string): Buffer => Buffer.from(text, "hex");

describe("redact", () => {
  it("takes out what the contract marks as secret, and tells it", () => {
    const reply = answers.granted("u", { accessKeyID: "AK", accessSecretKey: secretKey });
    assert.ok(reply instanceof Uint8Array);
    const { json, secrets } = redact(contract, "cosi.v1alpha1.DriverGrantBucketAccessResponse", reply);
    assert.deepEqual(json, { accountId: "u", credentials: "[secret]" });
    assert.deepEqual([...secrets].sort(), ["AK", secretKey].sort());
  });

  it("takes addresses out with the rest, and does not count them as secrets", () => {
    const reply = answers.granted("u", {
      accessKeyID: "AK",
      Endpoint: "https://s",
      region: "eu",
      bucketName: "b",
    });
    assert.ok(reply instanceof Uint8Array);
    const { json, secrets } = redact(contract, "cosi.v1alpha1.DriverGrantBucketAccessResponse", reply);
    assert.deepEqual(json, { accountId: "u", credentials: "[secret]" });
    assert.deepEqual(secrets, ["AK"]);
  });

  it("shows the rest as it is", () => {
    const show = (message: string, bytes: string) => redact(contract, `cosi.v1alpha1.${message}`, hex(bytes));
    assert.deepEqual(show("DriverCreateBucketRequest", "0a02623112060a016b120176"), {
      json: { name: "b1", parameters: { k: "v" } },
      secrets: [],
    });
    assert.deepEqual(show("DriverCreateBucketResponse", "0a02623112070a050a01721002").json, {
      bucketId: "b1",
      bucketInfo: { s3: { region: "r", signatureVersion: "S3V4" } },
    });
    assert.deepEqual(show("DriverRevokeBucketAccessResponse", "").json, {});
  });

  it("reads enum numbers and fields of a later release", () => {
    const bytes = hex("0a02623112070a050a01721009720178");
    const { json } = redact(contract, "cosi.v1alpha1.DriverCreateBucketResponse", bytes);
    assert.deepEqual(json, { bucketId: "b1", bucketInfo: { s3: { region: "r", signatureVersion: 9 } } });
  });

  it("names a message that the contract does not have", () => {
    assert.throws(
      () => redact(contract, "cosi.v1alpha1.Nothing", Buffer.alloc(0)),
      /cosi\.v1alpha1\.Nothing/,
    );
  });
});
