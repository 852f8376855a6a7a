import assert from "node:assert/strict";
import { rememberGivenSecrets } from "../../conformance/given-secrets";
import { ReportMask } from "../../conformance/report-mask";

function isMasked(name: string, value: string): boolean {
  const mask = new ReportMask();
  rememberGivenSecrets(mask, { [name]: value }, []);
  return mask.applyToDriverText(`it is ${value}`) === "it is [secret]";
}

describe("what a started driver is given", () => {
  for (const name of [
    "DB_PW",
    "ROOT_PW",
    "dbPw",
    "ADMIN_SIG",
    "SAS_SIGNATURE",
    "BEARER",
    "S3_SK",
    "DB_PASS",
    "AWS_ACCESS_KEY_ID",
    "SECRET_ID",
  ]) {
    it(`is masked as ${name} [GRPC-130]`, () => {
      assert.ok(isMasked(name, "value-of-it"));
    });
  }

  for (const [name, value] of [
    ["PGPASSFILE", "pgpass.conf"],
    ["AUTH_METHOD", "scram-sha-256"],
    ["AUTH_MODE", "service-account"],
    ["SECRET_TYPE", "kubernetes.io/tls"],
    ["KEY_PREFIX", "tenants-of-eu"],
    ["TOKEN_FILE", "token.jwt"],
    ["SSH_AUTH_SOCK", "agent-4711"],
    ["XAUTHORITY", "/home/user/.Xauthority"],
    ["KEYS", "/etc/store/keys"],
    ["RISK", "of-all-kinds"],
  ] as const) {
    it(`stays readable as ${name}=${value}`, () => {
      assert.equal(isMasked(name, value), false);
    });
  }

  it("is masked where it only begins like a path [GRPC-130]", () => {
    assert.ok(isMasked("S3_SECRET_KEY", "/9aBcDeF+0/xYz12345"));
    assert.ok(isMasked("S3_SECRET_KEY", "/hunter2hunter2"));
  });
});
