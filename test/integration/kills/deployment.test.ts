import assert from "node:assert/strict";
import { assertRecovered } from "../../support/kills/assert-recovered";
import { deployments } from "../../support/kills/deployment/subject";
import { KillHarness, type Outcome } from "../../support/kills/harness";
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
  let harness: KillHarness;
  let outcomes: Promise<Outcome>[];

  before(async () => {
    harness = await KillHarness.start(deployments);
    // They run side by side; each test waits for its own.
    outcomes = harness.try(namedPoints.map(([, point]) => point));
  });

  after(() => harness.stop());

  for (const [index, [what]] of namedPoints.entries()) {
    it(`ends as an undisturbed one: ${what}${idsOf[what] ?? ""}`, async () => {
      assertRecovered(await outcomes[index]);
    });
  }

  for (const command of ["up", "rotate"]) {
    it(`is compared with one database, its roles and one login, which the Secret has: ${command}`, async () => {
      const { buckets, ...accounts } = (await harness.reference(command)).dump.store;
      assert.equal(buckets.length, 1);
      const roles = ["admin", "owner", "reader", "writer"].map((role) => `${role} of a deployment`);
      assert.deepEqual(accounts, {
        usersWithoutAccess: roles,
        accounts: [{ liveKeys: 1, inSecret: true }],
      });
    });
  }

  it("is compared with nothing after a destroy", async () => {
    const { objects, store } = (await harness.reference("destroy")).dump;
    assert.deepEqual(objects, []);
    assert.deepEqual(store, { buckets: [], usersWithoutAccess: [], accounts: [] });
  });

  for (const command of ["refresh", "replace-bucket", "replace-access"]) {
    it(`leaves after an undisturbed ${command} what an up leaves`, async () => {
      const { dump } = await harness.reference(command);
      assert.deepEqual(dump, (await harness.reference("up")).dump);
    });
  }
});
