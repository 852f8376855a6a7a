import assert from "node:assert/strict";
import { deployments } from "../../support/kills/deployment/subject";
import { assertAsAfterUp, assertNothingLeft, oneLiveKey, strikesAt } from "../../support/kills/strikes";
import { pointsOfEachKind } from "./points";

const namedPoints = pointsOfEachKind({
  claim: "request",
  bucket: "Deployment",
  claims: "deploymentrequests",
  buckets: "deployments",
  accesses: "deploymentaccesses",
});

/** What a point proves of the list of requirements. */
const idsOf: Partial<Record<string, string>> = {
  "up: everything after the create had its effect, before its reply": " [DEP-028]",
  "up: the driver alone after the create had its effect": " [DEP-048]",
};

describe("a command over deployments that is struck, and run again (Deployment Interface)", function () {
  this.timeout(1_800_000);
  const strikes = strikesAt(deployments, namedPoints, {
    commands: deployments.commands.map(({ name }) => name),
    idsOf: (what) => idsOf[what] ?? "",
  });

  for (const command of ["up", "rotate"]) {
    it(`is compared with one database, its roles and one login, which the Secret has: ${command}`, async () => {
      const { buckets, ...accounts } = (await strikes().harness.reference(command)).dump.store;
      assert.equal(buckets.length, 1);
      const roles = ["admin", "owner", "reader", "writer"].map((role) => `${role} of a deployment`);
      assert.deepEqual(accounts, { ...oneLiveKey, usersWithoutAccess: roles });
    });
  }

  it("is compared with nothing after a destroy", async () => {
    await assertNothingLeft(strikes(), "destroy");
  });

  for (const command of ["refresh", "replace-bucket", "replace-access"]) {
    it(`leaves after an undisturbed ${command} what an up leaves`, async () => {
      await assertAsAfterUp(strikes(), command);
    });
  }
});
