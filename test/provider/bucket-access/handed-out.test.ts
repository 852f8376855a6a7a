import assert from "node:assert/strict";
import { handsOut } from "../../../provider/bucket-access/handed-out";
import type { AccessOutputs } from "../../../provider/bucket-access/state";

/** Outputs of an access, as far as they are read. */
const outputs = (granted: AccessOutputs["granted"]): AccessOutputs => ({ granted }) as AccessOutputs;

describe("what hands an account's credentials out", () => {
  const old = {
    PGHOST: "db.example.com",
    PGUSER: "da-1",
    PGPASSWORD: "old password",
    PGSSLROOTCERT: "-----BEGIN CERTIFICATE-----",
  };
  const entries = handsOut(outputs({ entries: { postgres: old } }));

  it("is, of entries, a Secret with all of them", () => {
    assert.equal(entries([...Object.values(old), "more"]), true);
  });

  it("is, of entries, no Secret of a successor that shares a certificate, and whose name begins alike", () => {
    const successor = { ...old, PGUSER: "da-1-r1-abcdef", PGPASSWORD: "new password" };
    assert.equal(entries(Object.values(successor)), false);
    assert.equal(entries([]), false);
  });

  it("is, of a protocol, a Secret with one of its keys, wherever that stands in it", () => {
    const s3 = handsOut(
      outputs({ protocol: "S3", secrets: { accessKeyID: "AKEXAMPLE", endpoint: "http://s3" } }),
    );
    assert.equal(s3(['{"accessKeyID":"AKEXAMPLE"}']), true);
    assert.equal(s3(['{"accessKeyID":"AKOTHER","endpoint":"http://s3"}']), false);
  });

  it("is nothing where no credentials are known", () => {
    assert.equal(handsOut(outputs(null))(["x"]), false);
    assert.equal(handsOut(outputs({ entries: {} }))(["x"]), false);
  });
});
