import { isRecord } from "../../provider/dynamic/values";
import { parametersProblem } from "../../provider/fields/parameters";
import { ownerQuotaProblem } from "../../provider/models/objectbucket/additional-config";
import {
  objectStoreProblem,
  operatorProvisionerProblem,
  provisionerProblem,
  reclaimPolicies,
  type ReclaimPolicy,
} from "../../provider/models/objectbucket/class-parameters";
import { asFound } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";

/** OBC-030, OBC-032: a class for which the program says nothing keeps its buckets. */
export function reclaimPolicyNamed(value: unknown): ReclaimPolicy {
  const policy = reclaimPolicies.find((known) => known === (value ?? "Retain"));
  if (policy !== undefined) return policy;
  throw new ProblemError(`reclaimPolicy ${asFound(value)}: give one of ${quoted(reclaimPolicies)}`);
}

/** OBC-033, OBC-034, OBC-119. Whether their size fits the driver is judged where they are sent. */
export function classParametersNamed(value: unknown): Record<string, string> {
  const problem = parametersProblem(value ?? {}, { largeFields: true });
  if (problem !== undefined) throw new ProblemError(`parameters ${problem}`);
  const parameters: Record<string, string> = {};
  for (const [key, text] of Object.entries(isRecord(value) ? value : {})) {
    if (typeof text === "string") parameters[key] = text;
  }
  const store = objectStoreProblem(parameters);
  if (store !== undefined) throw new ProblemError(store);
  const quota = ownerQuotaProblem(parameters);
  if (quota !== undefined) throw new ProblemError(`parameters ${quota}`);
  return parameters;
}

/** OBC-079: names of keys. An empty list allows none. */
export function allowedConfigNamed(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const names = entries.filter((entry) => typeof entry === "string").filter((entry) => entry !== "");
  if (Array.isArray(value) && names.length === entries.length) return names;
  throw new ProblemError(
    `allowedAdditionalConfig ${asFound(value)}: give a list of keys of additionalConfig, such as ["maxSize", "bucketPolicy"]`,
  );
}

/**
 * OBC-035, OBC-036.
 *
 * @param isOperators It may be that of an operator.
 */
export function provisionerNamed(value: unknown, isOperators: boolean): string {
  if (typeof value !== "string" || value === "") {
    throw new ProblemError(`provisioner ${asFound(value)}: give a name such as "cosi.objectbucket.io/store"`);
  }
  const problem = provisionerProblem(value) ?? (isOperators ? undefined : operatorProvisionerProblem(value));
  if (problem !== undefined) throw new ProblemError(`provisioner ${problem}`);
  return value;
}
