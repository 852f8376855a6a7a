import assert from "node:assert/strict";
import { reportText } from "../../conformance/report-text";
import { secretValues, unloggableValues } from "../../conformance/credentials";
import { DriverGrantBucketAccessResponse } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { paths } from "../support/cosi-v1alpha1";
import type { Fault } from "./support/memory-driver";
import { idsWith, TestedDriver } from "./support/tested-driver";

function grantOf(secrets: Readonly<Record<string, string>>): {
  credentials: Map<string, { secrets: Map<string, string> }>;
} {
  return { credentials: new Map([["s3", { secrets: new Map(Object.entries(secrets)) }]]) };
}

/** A driver whose grants hold more than a key and its secret. */
async function startWith(
  more: Readonly<Record<string, string>>,
  faults: readonly Fault[] = [],
): Promise<TestedDriver> {
  const tested: TestedDriver = await TestedDriver.start(faults, (path, body) => {
    if (path !== paths.grant) return undefined;
    const reply = DriverGrantBucketAccessResponse.decode(tested.driver.answer(path, body));
    for (const [key, value] of Object.entries(more)) reply.credentials.get("s3")?.secrets.set(key, value);
    return DriverGrantBucketAccessResponse.encode(reply).finish();
  });
  return tested;
}

describe("what a grant holds beside its secret", function () {
  this.timeout(120_000);

  const equalForAll = {
    webIdentityTokenFile: "/var/run/secrets/eks.amazonaws.com/serviceaccount/token",
    tokenMount: "/var/run/secrets/store",
    tokenType: "BearerToken",
    accessTokenExpiry: "2030-01-01T00:00:00Z",
    token_expires_at: "2030-01-01T00:00:00Z",
    secretVersion: "1",
    passwordPolicy: "length-and-digits",
    secretName: "of-the-application",
    tokenTTL: "3600 seconds",
    usesPassword: "always",
  };

  it("may be equal for two accounts where it opens nothing [GRPC-129]", async () => {
    const tested = await startWith(equalForAll);
    try {
      const report = await tested.run();
      assert.deepEqual(idsWith(report, "fail"), []);
      assert.equal(report.compliant, true);
    } finally {
      await tested.stop();
    }
  });

  it("may not be equal where it opens something [GRPC-129]", async () => {
    const tested = await startWith({ ...equalForAll, sessionToken: "one-token-for-all" });
    try {
      assert.deepEqual(idsWith(await tested.run(), "fail"), ["GRPC-024"]);
    } finally {
      await tested.stop();
    }
  });

  it("leaves the words of a report and the names of what is left readable [GRPC-130]", async () => {
    const ordinary = {
      useSSL: "true",
      type: "postgresql",
      username: "cosi",
      account: "cosi-conformance",
      hint: "name",
      scope: "bucket-readwrite",
      code: "PERMISSION_DENIED",
      password: "conformance",
    };
    const tested = await startWith(ordinary, ["failed delete"]);
    try {
      const report = await tested.run();
      const text = reportText(report);
      assert.ok(report.leftovers.length > 0);
      for (const { name, id } of report.leftovers) {
        assert.match(name, /^cosi-conformance-[0-9a-f]{8}-\d+/);
        assert.ok(text.includes(`bucket ${id ?? ""}, made under the name ${name}`), text);
      }
      assert.match(text, /DriverDeleteBucket \{"bucketId":"cosi-conformance-/);
      assert.match(text, /PERMISSION_DENIED \(7\): bucket cosi-\[secret\]-/);
    } finally {
      await tested.stop();
    }
  });

  it("is hidden where it opens something, and where it is long and nobody knows what it is [GRPC-130]", () => {
    const grant = grantOf({
      accessKeyID: "AKIA0123456789",
      accessSecretKey: "/abc+DEF/ghi0JKLmnop",
      pass: "hunter2",
      DB_PW: "hunt3r",
      tokenId: "id-of-the-token",
      blob: "unknown-content",
      url: "https://cosi:p4ssw0rd@store/x",
      useSSL: "true",
      user: "cosi",
      type: "postgresql",
      expiry: "2030-01-01",
      caFile: "/etc/ssl/certs/ca.pem",
    });
    const secrets = [
      "AKIA0123456789",
      "/abc+DEF/ghi0JKLmnop",
      "hunter2",
      "hunt3r",
      "id-of-the-token",
      "unknown-content",
      "https://cosi:p4ssw0rd@store/x",
      "p4ssw0rd",
    ];
    assert.deepEqual(new Set(secretValues(grant)), new Set(secrets));
    assert.deepEqual(new Set(unloggableValues(grant)), new Set(secrets.slice(1)));
  });
});
