import {
  apiProtocols,
  readProtocol,
  type ApiProtocol,
  type ReleasePolicy,
} from "../../provider/models/cosi-proposals/protocols";
import { asFound } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";

/** K02-021, K07-020, K07-021: one of three protocols, in any case, as the API stores it. */
export function protocolNamed(argument: string, value: unknown): ApiProtocol {
  const protocol = readProtocol(value);
  if (protocol !== undefined) return protocol;
  const further = Array.isArray(value) ? ", one for each class" : "";
  throw new ProblemError(`${argument} ${asFound(value)}: give one of ${quoted(apiProtocols)}${further}`);
}

const releasePolicies: readonly ReleasePolicy[] = ["Retain", "Delete"];

/** K02-053, K07-038. */
export function releasePolicyNamed(value: unknown): ReleasePolicy {
  const policy = releasePolicies.find((known) => known === (value ?? "Retain"));
  if (policy !== undefined) return policy;
  throw new ProblemError(`releasePolicy ${asFound(value)}: give one of ${quoted(releasePolicies)}`);
}

/** A blank name is none. */
export function isGiven(name: unknown): boolean {
  return name !== undefined && name !== "";
}
