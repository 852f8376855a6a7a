import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { CannotRunError, runConformance } from "../../conformance/run";
import { paths } from "../support/cosi-v1alpha1";
import { Refusal } from "./support/memory-driver";
import { options } from "./support/options";
import { idsWith, TestedDriver } from "./support/tested-driver";

describe("a conformance run against a foreign driver", function () {
  this.timeout(120_000);
  let tested: TestedDriver | undefined;

  afterEach(() => tested?.stop());

  it("ends with GRPC-001 failed where the driver implements nothing [GRPC-128]", async () => {
    tested = await TestedDriver.start([], () => new Refusal(status.UNIMPLEMENTED, "unknown method"));
    const report = await tested.run();
    assert.deepEqual(idsWith(report, "fail"), ["GRPC-001", "GRPC-007"]);
    assert.ok(idsWith(report, "warning").includes("GRPC-117"));
    assert.equal(report.driver, null);
    assert.equal(report.compliant, false);
  });

  it("ends with GRPC-058 failed where the driver never answers [GRPC-128]", async () => {
    tested = await TestedDriver.start([], () => "silence");
    const report = await tested.run({ timeoutSeconds: 0.3 });
    const line = report.lines.find(({ id }) => id === "GRPC-058");
    assert.equal(line?.status, "fail");
    assert.match(line.problems[0]?.answered ?? "", /no answer within 0\.3 s/);
    assert.equal(report.compliant, false);
  });

  it("ends where the driver stops to answer deletes in the middle [GRPC-128] [GRPC-130]", async () => {
    tested = await TestedDriver.start([], (path) => (path === paths.delete ? "silence" : undefined));
    const report = await tested.run({ timeoutSeconds: 0.3 });
    assert.ok(idsWith(report, "fail").includes("GRPC-058"));
    assert.equal(report.leftovers.length, tested.driver.state.buckets.size);
  });

  it("gives no verdict where the driver makes no bucket with the given parameters", async () => {
    tested = await TestedDriver.start();
    const report = await tested.run({ parameters: new Map([["nope", "1"]]) });
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.equal(report.compliant, false);
    assert.match(
      report.incomplete ?? "",
      /^DriverCreateBucket .* INVALID_ARGUMENT \(3\): parameters: the key nope/,
    );
  });

  it("goes without accesses where the driver grants none, with a warning [GRPC-128]", async () => {
    tested = await TestedDriver.start([], (path) =>
      path === paths.grant || path === paths.revoke
        ? new Refusal(status.UNIMPLEMENTED, "not offered")
        : undefined,
    );
    const report = await tested.run();
    assert.deepEqual(idsWith(report, "fail"), []);
    assert.deepEqual(idsWith(report, "warning"), ["GRPC-117"]);
    const skipped = report.lines.find(({ id }) => id === "GRPC-025");
    assert.match(skipped?.reason ?? "", /DriverGrantBucketAccess was answered: UNIMPLEMENTED \(12\)/);
    assert.equal(report.compliant, true);
  });

  it("cannot begin where nobody listens [GRPC-128]", async () => {
    const nowhere = options({ endpoint: "unix:///nonexistent/driver.sock", timeoutSeconds: 1 });
    await assert.rejects(runConformance(nowhere), (error) => {
      assert.ok(error instanceof CannotRunError);
      assert.match(error.message, /nobody takes connections at \/nonexistent\/driver\.sock within 1 s/);
      return true;
    });
  });
});
