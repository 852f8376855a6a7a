import assert from "node:assert/strict";
import { redact } from "../../../../provider/driver/secrets/redaction";

const grant = "cosi.v1alpha1.DriverGrantBucketAccessResponse";
const create = "cosi.v1alpha1.DriverCreateBucketResponse";
const hex = (text: string): Buffer => Buffer.from(text, "hex");
/** credentials {"s3": {secrets {"k": "topsecret"}}} */
const credentials = hex("1216" + "0a027333" + "1210" + "0a0e" + "0a016b" + "1209" + "746f70736563726574");

describe("wire types of a reply", () => {
  it("are those of the contract in what is read", () => {
    assert.deepEqual(redact("cosi.v1alpha1", grant, Buffer.concat([hex("0a0161"), credentials])), {
      json: { accountId: "a", credentials: "[secret]" },
      secrets: ["topsecret"],
    });
    // region "r", signature version 1, and fields that nobody knows, of each wire type.
    const known = hex("1207" + "0a05" + "0a0172" + "1001");
    const unknown = hex("7001" + "79" + "00".repeat(8) + "720178" + "75" + "00".repeat(4));
    assert.deepEqual(redact("cosi.v1alpha1", create, Buffer.concat([known, unknown])).json, {
      bucketInfo: { s3: { region: "r", signatureVersion: "S3V2" } },
    });
  });

  it("that are another field's are refused, lest a reader takes the secrets behind it for its content", () => {
    // account_id as a number, which is the length of all that comes behind it.
    const swallowing = Buffer.concat([Buffer.from([0x08, credentials.length]), credentials]);
    assert.throws(() => redact("cosi.v1alpha1", grant, swallowing), /account_id has the wire type 0/);
    for (const odd of [
      "1001",
      "1202" + "0800",
      "1204" + "1202" + "0800",
      "1206" + "1204" + "0a02" + "1000",
    ]) {
      assert.throws(() => redact("cosi.v1alpha1", grant, hex(odd)), /has the wire type 0/, odd);
    }
    assert.throws(
      () => redact("cosi.v1alpha1", create, hex("1204" + "0a02" + "1200")),
      /has the wire type 2/,
    );
  });
});
