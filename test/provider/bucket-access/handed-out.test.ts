import assert from "node:assert/strict";
import { handsOut, loginOf, proveOneLogin } from "../../../provider/bucket-access/handed-out";
import type { AccessOutputs } from "../../../provider/bucket-access/state";
import { bucketInfo } from "../../../components/secrets/bucket-info";

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

  const s3 = (accessKeyID: string, accessSecretKey: string, more: Record<string, string> = {}) => ({
    protocol: "S3" as const,
    secrets: { accessKeyID, accessSecretKey, endpoint: "http://s3", ...more },
  });
  /** A Secret in the layout of COSI. */
  const secretOf = ({ secrets }: ReturnType<typeof s3>): string[] => {
    const { accessKeyID: accessKeyId, accessSecretKey } = secrets;
    const none = { endpoint: null, region: null, accessToken: null, expiry: null };
    const credentials = { protocol: "S3" as const, accessKeyId, accessSecretKey, ...none };
    const names = { accessUid: "uid-1", bucketName: "bucket-uid-1", bucketId: "photos-of-the-shop" };
    return Object.values(bucketInfo({ credentials, authenticationType: "Key", ...names }));
  };
  const first = s3("hpe-ba-1", 's3cr3t/"of"+1');

  it("is, of a protocol, a Secret with one of its keys, in a document too, whatever is escaped there", () => {
    assert.equal(handsOut(outputs(first))(secretOf(first)), true);
    assert.equal(handsOut(outputs(first))(['s3cr3t/"of"+1']), true);
    assert.equal(
      handsOut(outputs(s3("AKEXAMPLE", "s3cr3t/of+1")))(["key=AKEXAMPLE\nsecret = s3cr3t/of+1\n"]),
      true,
    );
  });

  it("is no Secret in which the keys of the successor have those of the account in them", () => {
    const successor = s3("hpe-ba-1-r1-abcdef", 's3cr3t/"of"+1-r1');
    assert.equal(handsOut(outputs(first))(secretOf(successor)), false);
    assert.equal(handsOut(outputs(first))(["key=hpe-ba-1-r1-abcdef\n"]), false);
  });

  it("is nothing that a driver says beside the keys, such as the bucket", () => {
    const bucket = { bucket: "photos-of-the-shop", url: "https://photos.example.com" };
    const successor = s3("AKNEWEXAMPLE", "new s3cr3t", bucket);
    const before = handsOut(outputs(s3("AKOLDEXAMPLE", "old s3cr3t", bucket)));
    assert.equal(before([...secretOf(successor), bucket.url]), false);
  });

  it("is nothing that the successor has too, where that is known", () => {
    const before = s3("AKOLDEXAMPLE", "old s3cr3t", { projectToken: "shared-token" });
    const successor = s3("AKNEWEXAMPLE", "new s3cr3t", { projectToken: "shared-token" });
    const written = [...secretOf(successor), "shared-token"];
    assert.equal(handsOut(outputs(before))(written), true);
    assert.equal(handsOut(outputs(before), loginOf(successor))(written), false);
    assert.equal(handsOut(outputs(before), loginOf(successor))([...secretOf(before), "shared-token"]), true);
  });

  it("is the same login where all that proves it is the same, and not where key or secret key differ", () => {
    const login = loginOf(s3("AKSHARED", "shared s3cr3t", { accountName: "one" }));
    const proves = (other: ReturnType<typeof s3>) => proveOneLogin(login, loginOf(other));
    assert.equal(proves(s3("AKSHARED", "shared s3cr3t", { accountName: "two" })), true);
    assert.equal(proves(s3("AKOTHER", "shared s3cr3t")), false);
    assert.equal(proves(s3("AKSHARED", "other s3cr3t")), false);
    assert.equal(proveOneLogin(loginOf(null), loginOf(null)), false);
  });

  it("is a text with a password in it, and any value where no word of a driver is known", () => {
    const dsn = "postgres://da-1:p4ssw0rd@db.example.com/shop";
    assert.deepEqual(loginOf({ entries: { db: { uri: dsn, PGHOST: "db", ca: "-----BEGIN" } } }), [dsn]);
    assert.deepEqual(loginOf({ entries: { db: { opaque: "value", host: "db" } } }), ["value"]);
  });

  it("is nothing where no credentials are known", () => {
    assert.equal(handsOut(outputs(null))(["x"]), false);
    assert.equal(handsOut(outputs({ entries: {} }))(["x"]), false);
  });
});
