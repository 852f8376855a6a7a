import type { ContractName } from "./contract";
import { traitsOf } from "./traits";

/**
 * What is wrong with a driver by what its contract makes, or `undefined`.
 *
 * @param resource The resource that the program has: `cosi.Bucket`.
 * @param access True where the resource is an access to it.
 */
export function contractProblem(
  { contract }: { readonly contract?: ContractName },
  resource: string,
  access = false,
): string | undefined {
  const words = traitsOf(contract)?.words;
  if (words === undefined || words.resource === resource) return undefined;
  const right = access ? `${words.resource}Access` : words.resource;
  return `has the contract ${String(contract)}, where a driver makes ${words.object}s: use ${right}, or another driver`;
}
