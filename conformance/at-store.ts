import type { Problem } from "./check";
import type { Context } from "./context";
import type { Granted } from "./ledger";
import type { MadeBucket } from "./ledger";
import { becomes, type BackendAnswer } from "./trial";

/** What the store should say to an account. */
export interface Expectation {
  readonly granted: Granted;
  readonly answer: BackendAnswer;
  readonly why: string;
}

/** The part of a duty that shows only where granted credentials are tried: without that, the line says so. */
export function untried({ backend, howToSee }: Context, what: string): string | undefined {
  return backend.trialOf === undefined ? `${what}: ${howToSee}` : undefined;
}

/** The first account to which the store says something else than it should, if the run tries credentials there. */
export async function atStore(
  { backend: { trialOf }, patience }: Context,
  bucket: MadeBucket,
  expectations: readonly Expectation[],
): Promise<Problem[]> {
  if (trialOf === undefined) return [];
  for (const { granted, answer, why } of expectations) {
    const trial = trialOf(granted, bucket);
    if (await becomes(trial, answer, patience)) continue;
    return [
      {
        sent: trial.what,
        answered: `${answer === "allowed" ? "refused" : "allowed"} by ${trial.by}`,
        wanted: `${answer}: ${why}`,
      },
    ];
  }
  return [];
}
