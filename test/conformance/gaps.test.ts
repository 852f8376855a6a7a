import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverGrantBucketAccessResponse } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { reportText } from "../../conformance/report-text";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import type { Interceptor } from "./support/serve";
import { idsWith, line, TestedDriver } from "./support/tested-driver";

/** A port where nobody listens. */
const nowhere = "http://127.0.0.1:9";

describe("what a conformance run did not see", function () {
  this.timeout(120_000);
  let tested: TestedDriver | undefined;

  const start = async (intercept?: Interceptor): Promise<TestedDriver> => {
    tested = await TestedDriver.start([], intercept);
    return tested;
  };

  afterEach(() => tested?.stop());

  it("leaves no verdict where a MUST could not be judged to its end, and says which [GRPC-129]", async () => {
    let revokes = 0;
    const driver = await start((path) =>
      path === paths.revoke && ++revokes > 3 && revokes < 12
        ? new Refusal(status.UNAVAILABLE, "no backend")
        : undefined,
    );
    const report = await driver.run({ timeoutSeconds: 0.5 });
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(report.compliant, false);
    assert.match(
      report.incomplete ?? "",
      /^GRPC-\d{3} could not be judged: DriverRevoke.*UNAVAILABLE \(14\)/,
    );
    assert.match(reportText(report), /\nNo verdict: GRPC-\d{3} could not be judged: /);
  });

  it("leaves no verdict where credentials could not be tried as the user asks [GRPC-129]", async () => {
    const driver = await start();
    Object.defineProperty(driver.store, "endpoint", { value: nowhere });
    const report = await driver.run({ checkCredentials: true });
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(report.compliant, false);
    assert.match(
      report.incomplete ?? "",
      /^the granted credentials could not be tried, as --check-credentials asks: the store did not answer/,
    );
    for (const id of ["GRPC-018", "GRPC-024", "GRPC-025", "GRPC-026"]) {
      assert.match(
        line(report, id).reason ?? "",
        /only the store can tell, but the store did not answer/,
        id,
      );
    }
    const { reason } = line(report, "GRPC-077");
    assert.match(reason ?? "", /^delete of a bucket with objects: the store did not answer/);
  });

  it("leaves no verdict where the granted keys may do nothing that can be tried [GRPC-129]", async () => {
    const driver = await start();
    const run = driver.run({ checkCredentials: true, timeoutSeconds: 1 });
    driver.driver.onChange = () => {
      driver.store.keys.clear();
    };
    const report = await run;
    assert.equal(report.compliant, false);
    assert.match(report.incomplete ?? "", /may neither list bucket \S+ nor read or put objects/);
  });

  it("stands in the lines of access, whichever contract it is [GRPC-129]", async () => {
    const report = await (await start()).run();
    for (const [id, what] of [
      ["GRPC-018", "that only the last credential is alive"],
      ["GRPC-024", "that a revoke leaves the credential of another account alive"],
      ["GRPC-025", "that exactly one credential is alive"],
      ["GRPC-026", "that the credential of a revoked access is refused"],
      ["GRPC-040", "that equal grants at once leave one live credential"],
    ] as const) {
      assert.equal(line(report, id).status, "pass");
      const seen = "only the store can tell, see with --check-credentials";
      assert.equal(line(report, id).reason, `${what}: ${seen}`);
    }
    assert.equal(report.compliant, true);
  });

  it("stands in the line of a delete where the granted key may put no object [GRPC-129]", async () => {
    const driver = await start();
    driver.store.isReadOnly = true;
    const report = await driver.run({ checkCredentials: true });
    assert.deepEqual(idsWith(report, "fail"), []);
    const { reason } = line(report, "GRPC-077");
    assert.equal(
      reason,
      "delete of a bucket with objects: the granted key may not put an object into its bucket",
    );
  });
});

describe("a reply that breaks the contract", function () {
  this.timeout(120_000);

  it("fails under GRPC-003 where it is no message, and is no refusal [GRPC-129]", async () => {
    const tested = await TestedDriver.start([], (path) =>
      path === paths.create ? Uint8Array.of(0xff, 0xff, 0xff) : undefined,
    );
    try {
      const report = await tested.run();
      assert.deepEqual(idsWith(report, "fail"), ["GRPC-003"]);
      assert.match(line(report, "GRPC-003").problems[0]?.answered ?? "", /3 bytes that are no /);
      assert.equal(report.compliant, false);
    } finally {
      await tested.stop();
    }
  });

  it("fails under GRPC-003 where a string is no UTF-8 [GRPC-129]", async () => {
    const tested: TestedDriver = await TestedDriver.start([], (path, body) => {
      if (path !== paths.grant) return undefined;
      const bytes = Buffer.from(tested.driver.answer(path, body));
      const { credentials } = DriverGrantBucketAccessResponse.decode(bytes);
      const secret = credentials.get("s3")?.secrets.get("accessSecretKey") ?? "";
      bytes.set([0xff, 0xfe], bytes.indexOf(secret));
      return bytes;
    });
    try {
      const report = await tested.run();
      assert.deepEqual(idsWith(report, "fail"), ["GRPC-003"]);
      assert.match(line(report, "GRPC-003").problems[0]?.wanted ?? "", /^strings in UTF-8: a strict caller/);
    } finally {
      await tested.stop();
    }
  });
});
