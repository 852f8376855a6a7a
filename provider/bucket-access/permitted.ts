import type { AccessInputs } from "./state";
import { permissionsProblem } from "../contracts/cosi-2020-07/permissions";
import { isRecord } from "../dynamic/values";

/** What in the parameters the contract of the driver has no place for, in words, or `undefined`. */
export function placeProblem({
  driver,
  parameters,
}: Pick<AccessInputs, "driver" | "parameters">): string | undefined {
  if (driver.contract !== "cosi-2020-07" || !isRecord(parameters)) return undefined;
  const problem = permissionsProblem({ parameters, policyActions: null });
  return problem === undefined ? undefined : `cannot be sent: ${problem}`;
}
