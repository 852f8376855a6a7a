import type { AccessInputs } from "./inputs";
import { permissionsProblem } from "../contracts/cosi-2020-07/permissions";
import { knownContract } from "../contracts/registry";
import { containsUnknown, isRecord } from "../dynamic/values";

/** What in the parameters the contract of the driver has no place for, in words, or `undefined`. */
export function placeProblem({
  driver,
  parameters,
  policyActions = null,
}: Pick<AccessInputs, "driver" | "parameters" | "policyActions">): string | undefined {
  if (driver.contract !== "cosi-2020-07" || containsUnknown([parameters, policyActions])) return undefined;
  const named = parameters ?? {};
  // What is no map at all is judged elsewhere.
  const problem = isRecord(named) ? permissionsProblem({ parameters: named, policyActions }) : undefined;
  return problem === undefined ? undefined : `cannot be sent: ${problem}`;
}

/** What is wrong with terms that only some contracts have a field for, in words, or `undefined`. */
export function termsProblem({ driver }: Pick<AccessInputs, "driver">): string | undefined {
  if (knownContract(driver.contract)?.namesTerms !== false) return undefined;
  return `is given, and the contract ${driver.contract} has no field for it: leave it out`;
}
