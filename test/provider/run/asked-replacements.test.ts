import assert from "node:assert/strict";
import { check as checkBucket, diff as diffBucket } from "../../../provider/bucket/plan";
import type { BucketInputs, BucketOutputs } from "../../../provider/bucket/state";
import { beginRun } from "../../support/run";

/** Inputs of what one Driver has made under one name in the program. */
function made(contract: string, parameters: Record<string, string>, protectData: boolean): BucketInputs {
  const driver = { contract, driverName: "cosi.example.com", seed: "00ff", endpoint: "unix:///a.sock" };
  const inputs: unknown = { driver, logicalName: "one", name: "one", deletionPolicy: "Delete", protectData };
  return { ...(inputs as BucketInputs), parameters };
}

describe("a replacement that diff is not asked about", () => {
  beforeEach(() => {
    beginRun();
  });

  it("is not allowed for a bucket by what was judged of a deployment of its name", () => {
    const [bucket, deployment] = ["cosi.v1alpha1", "deployment.v1alpha1"].map((contract) =>
      made(contract, {}, contract === "cosi.v1alpha1"),
    );
    assert.ok(bucket !== undefined && deployment !== undefined);
    checkBucket(bucket, bucket);
    const other = made("deployment.v1alpha1", { tier: "2" }, false);
    const { inputs } = checkBucket(deployment, other, "cosi.Deployment");
    assert.ok(inputs !== undefined);
    const state: unknown = { ...deployment, bucketId: "one", adopted: false };
    assert.deepEqual(diffBucket(state as BucketOutputs, inputs).replaces, ["parameters"]);
    const { failures = [] } = checkBucket({}, bucket);
    assert.match(
      failures.map(({ reason }) => reason).join(),
      /^protectData: the bucket one .* would be replaced/,
    );
  });
});
