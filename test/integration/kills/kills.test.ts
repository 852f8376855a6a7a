import assert from "node:assert/strict";
import { KillHarness, type Outcome } from "../../support/kills/harness";
import { namedPoints } from "./points";

describe("a command that is struck, and run again", function () {
  this.timeout(1_800_000);
  let harness: KillHarness;
  let outcomes: Promise<Outcome>[];

  before(async () => {
    harness = await KillHarness.start();
    // They run side by side; each test waits for its own.
    outcomes = harness.try(namedPoints.map(([, point]) => point));
  });

  after(() => harness.stop());

  async function outcomeOf(index: number): Promise<Outcome> {
    const outcome = await outcomes[index];
    assert.ok(outcome !== undefined);
    assert.equal(outcome.problem, undefined, outcome.problem);
    assert.ok(outcome.struckAt !== undefined, "the moment did not come");
    return outcome;
  }

  for (const [index, [what, { command, victim }]] of namedPoints.entries()) {
    it(`ends as an undisturbed one: ${what}`, async () => {
      const { code, text } = await outcomeOf(index);
      // A driver that is soon there again stops nobody.
      if (victim === "driver for a moment") assert.equal(code, 0, text);
      // A destroy may have had nothing more to begin when Ctrl-C came.
      else if (victim === "interrupt" && command === "destroy") assert.match(text ?? "", /\^C received/);
      else assert.notEqual(code, 0, text);
    });
  }

  it("keeps in the state what was under way when Ctrl-C came [CASE-U17]", async () => {
    const index = namedPoints.findIndex(
      ([, { command, victim }]) => command === "up" && victim === "interrupt",
    );
    const { recorded = [] } = await outcomeOf(index);
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
