import assert from "node:assert/strict";
import type { Outcome } from "./harness";

/** The command was struck, which stopped it if it had to, and the same command again left what an undisturbed one does. */
export function assertRecovered(outcome: Outcome | undefined): asserts outcome is Outcome {
  assert.ok(outcome !== undefined);
  const { point, code, text = "", struckAt, problem } = outcome;
  assert.equal(problem, undefined, problem);
  assert.ok(struckAt !== undefined, "the moment did not come");
  // A driver that is soon there again stops nobody.
  if (point.victim === "driver for a moment") assert.equal(code, 0, text);
  // A destroy may have had nothing more to begin when Ctrl-C came.
  else if (point.victim === "interrupt" && point.command === "destroy") assert.match(text, /\^C received/);
  else assert.notEqual(code, 0, text);
}
