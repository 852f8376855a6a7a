import assert from "node:assert/strict";
import { DriverCreateBucketRequest } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { DriverGrantDeploymentAccessResponse } from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
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

  it("counts what opens the door within an address, whole or not [GRPC-084]", () => {
    const reply = answers.granted("u", {
      endpoint: "https://app:p%40ss-word@s:9000",
      uri: "postgres://app:An0ther@db/x",
    });
    assert.ok(reply instanceof Uint8Array);
    const { secrets } = redact(contract, "cosi.v1alpha1.DriverGrantBucketAccessResponse", reply);
    assert.deepEqual([...secrets].sort(), [
      "An0ther",
      "p%40ss-word",
      "p@ss-word",
      "postgres://app:An0ther@db/x",
    ]);
  });

  it("counts what opens the door within an address in a map that is no secret, and in no name [GRPC-084]", () => {
    const request = DriverCreateBucketRequest.fromPartial({
      name: "app:a-name@b",
      parameters: new Map([["store", "https://app:p4ssword@s:9000"]]),
    });
    const bytes = DriverCreateBucketRequest.encode(request).finish();
    assert.deepEqual(redact(contract, "cosi.v1alpha1.DriverCreateBucketRequest", bytes).secrets, [
      "p4ssword",
    ]);
  });

  for (const entry of ["postgres", "database", "host", "endpoint", "region"]) {
    it(`counts the credentials of an entry that the driver calls ${entry} [GRPC-084] [DEP-082]`, () => {
      const secrets = new Map([["password", "S3cr3t"]]);
      const credentials = new Map([[entry, { secrets }]]);
      const reply = DriverGrantDeploymentAccessResponse.fromPartial({ accountId: "u", credentials });
      const bytes = DriverGrantDeploymentAccessResponse.encode(reply).finish();
      const name = "deployment.v1alpha1.DriverGrantDeploymentAccessResponse";
      assert.deepEqual(redact("deployment.v1alpha1", name, bytes).secrets, ["S3cr3t"]);
    });
  }

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
