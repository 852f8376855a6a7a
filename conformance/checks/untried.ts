import type { Check, Verdict } from "../check";

/** The part of a duty that shows only where granted credentials are tried: without that, the line says so. */
function untried(id: string, what: string): Check {
  return {
    ids: { deployment: id },
    needs: ["access"],
    run: ({ trialOf, howToSee }): Promise<Verdict> =>
      Promise.resolve(
        trialOf === undefined ? { is: "not-judged", reason: `${what}: ${howToSee}` } : { is: "kept" },
      ),
  };
}

export const untriedChecks: readonly Check[] = [
  untried("DEP-020", "that only the last credential is alive"),
  untried("DEP-025", "that exactly one credential is alive"),
  untried("DEP-027", "that the credential of a revoked access is refused"),
];
