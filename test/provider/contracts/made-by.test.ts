import assert from "node:assert/strict";
import type { ContractName } from "../../../provider/contracts/contract";
import { contractProblem } from "../../../provider/contracts/made-by";
import { contractsUnderTest } from "../../support/contracts-under-test";
import type { Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

describe("a resource at a driver that makes something else", () => {
  const { cosi, deployment } = contractsUnderTest;
  const bucketContracts = ["cosi.v1alpha1", "cosi-2020-07", "cosi-2020-02"] as const;
  const deploymentContracts = ["deployment.v1alpha1", "database.v1alpha1"] as const;

  beforeEach(beginRun);

  const at = (contract: ContractName): Properties => ({
    driver: driverReference("unix:///run/x.sock", { contract }),
    logicalName: "photos",
  });
  const ofAccess = { bucketName: "b1", bucketId: "b1" };

  it("is refused in check, with what to use in its place", async () => {
    for (const [{ bucket, access }, contracts, right] of [
      [cosi, deploymentContracts, "cosi.Deployment"],
      [deployment, bucketContracts, "cosi.Bucket"],
    ] as const) {
      for (const contract of contracts) {
        const made = right === "cosi.Bucket" ? "buckets" : "deployments";
        const text = `driver has the contract ${contract}, where a driver makes ${made}: use ${right}`;
        const ofIt = (await bucket.check({}, at(contract))).failures;
        assert.ok(ofIt.includes(`${text}, or another driver`), ofIt.join());
        const ofAccount = (await access.check({}, { ...at(contract), ...ofAccess })).failures;
        assert.ok(ofAccount.includes(`${text}Access, or another driver`), ofAccount.join());
      }
    }
  });

  it("is none where the contract makes it, or is not known yet", () => {
    for (const contract of bucketContracts)
      assert.equal(contractProblem({ contract }, "cosi.Bucket"), undefined);
    for (const contract of deploymentContracts) {
      assert.equal(contractProblem({ contract }, "cosi.Deployment"), undefined);
    }
    assert.equal(contractProblem({}, "cosi.Bucket"), undefined);
    assert.equal(contractProblem({}, "cosi.Deployment"), undefined);
  });
});
