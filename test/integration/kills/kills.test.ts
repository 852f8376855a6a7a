import assert from "node:assert/strict";
import { assertRecovered } from "../../support/kills/assert-recovered";
import { KillHarness, type Outcome } from "../../support/kills/harness";
import { objectStorage } from "../../support/kills/objectstorage-v1alpha1/subject";
import { furtherPointsOf, pointsOfEachKind } from "./points";

const words = {
  claim: "claim",
  bucket: "Bucket",
  claims: "bucketclaims",
  buckets: "buckets",
  accesses: "bucketaccesses",
};
const namedPoints = [...pointsOfEachKind(words), ...furtherPointsOf(words)];

describe("a command that is struck, and run again", function () {
  this.timeout(1_800_000);
  let harness: KillHarness;
  let outcomes: Promise<Outcome>[];

  before(async () => {
    harness = await KillHarness.start(objectStorage);
    // They run side by side; each test waits for its own.
    outcomes = harness.try(namedPoints.map(([, point]) => point));
  });

  after(() => harness.stop());

  for (const [index, [what]] of namedPoints.entries()) {
    it(`ends as an undisturbed one: ${what}`, async () => {
      assertRecovered(await outcomes[index]);
    });
  }

  it("keeps in the state what was under way when Ctrl-C came [CASE-U17]", async () => {
    const index = namedPoints.findIndex(
      ([, { command, victim }]) => command === "up" && victim === "interrupt",
    );
    const outcome = await outcomes[index];
    assertRecovered(outcome);
    const { recorded = [] } = outcome;
    assert.ok(
      recorded.some((urn) => urn.endsWith("dynamic/cosi:Bucket::photos")),
      recorded.join("\n"),
    );
  });

  for (const command of ["refresh", "replace-bucket", "replace-access"]) {
    it(`leaves after an undisturbed ${command} what an up leaves`, async () => {
      const { dump } = await harness.reference(command);
      assert.deepEqual(dump, (await harness.reference("up")).dump);
    });
  }
});
