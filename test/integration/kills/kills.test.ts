import assert from "node:assert/strict";
import { assertRecovered } from "../../support/kills/assert-recovered";
import { objectStorage } from "../../support/kills/objectstorage-v1alpha1/subject";
import { assertAsAfterUp, strikesAt } from "../../support/kills/strikes";
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
  const strikes = strikesAt(objectStorage, namedPoints, {
    commands: objectStorage.commands.map(({ name }) => name),
  });

  it("keeps in the state what was under way when Ctrl-C came [CASE-U17]", async () => {
    const outcome = await strikes().outcomeOf(
      ({ command, victim }) => command === "up" && victim === "interrupt",
    );
    assertRecovered(outcome);
    const { recorded = [] } = outcome;
    assert.ok(
      recorded.some((urn) => urn.endsWith("dynamic/cosi:Bucket::photos")),
      recorded.join("\n"),
    );
  });

  for (const command of ["refresh", "replace-bucket", "replace-access"]) {
    it(`leaves after an undisturbed ${command} what an up leaves`, async () => {
      await assertAsAfterUp(strikes(), command);
    });
  }
});
