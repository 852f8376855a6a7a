import type {
  PolicyResource,
  ReportViolation,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { fitsAny } from "../globs";
import { placeAt } from "../resources/credentials-place";
import { describe } from "../resources/judged-resource";
import { resourceTypes } from "../resources/types";
import { configOf, policyOf, type RuleDescription } from "../rule";
import {
  namespaceProblem,
  namespacesDefaults,
  namespacesSettings,
  type NamespacesConfig,
} from "./namespaces";

const rule: RuleDescription<NamespacesConfig> = {
  name: "cosi-copied-credentials-in-named-namespaces",
  description:
    "Secrets into which the program itself puts the credentials of an access are in the allowed namespaces only.",
  severity: "high",
  remediationSteps:
    "Give the Secret a namespace that is in `namespaces` and not in `deniedNamespaces`, or have the namespace added by those " +
    "who own the policy pack.",
  defaults: namespacesDefaults,
  settings: namespacesSettings,
};

/** A resource of a stack, as far as this rule looks at it. */
export type CopyingResource = Pick<PolicyResource, "type" | "name" | "urn" | "props"> & {
  readonly propertyDependencies: Readonly<Record<string, readonly Pick<PolicyResource, "type" | "name">[]>>;
};

/** What the rule needs of what it is given. */
export type CopiedCredentialsArgs = Pick<StackValidationArgs, "getConfig"> & {
  readonly resources: readonly CopyingResource[];
};

/** Judges the Secrets of a stack. */
export function judgeCopies(args: CopiedCredentialsArgs, reportViolation: ReportViolation): void {
  const config = configOf(rule, args);
  for (const resource of args.resources) {
    if (fitsAny(resource.name, config.except)) continue;
    const problem = copyProblem(resource, config);
    if (problem !== undefined) reportViolation(problem, resource.urn);
  }
}

/**
 * Credentials that a program copies into a Secret of its own, by @pulumi/kubernetes, go into namespaces that are named for
 * them. What a Secret's data comes from stands in the graph of the whole stack, so it is judged there, at the end of a preview.
 */
export const copiedCredentialsInNamedNamespaces: StackValidationPolicy = {
  ...policyOf(rule),
  validateStack: judgeCopies,
};

const secretType = /^kubernetes:core\/v1:Secret(Patch)?$/;
const accountTypes: readonly string[] = [...resourceTypes.bucketAccess, ...resourceTypes.deploymentAccess];

function copyProblem(resource: CopyingResource, config: NamespacesConfig): string | undefined {
  if (!secretType.test(resource.type)) return undefined;
  const { data = [], stringData = [] } = resource.propertyDependencies;
  const account = [...data, ...stringData].find(({ type }) => accountTypes.includes(type));
  if (account === undefined) return undefined;
  const problem = namespaceProblem(placeAt(resource.props, "metadata", "namespace"), config);
  return problem === undefined
    ? undefined
    : `${describe(resource)}, with what comes from ${describe(account)}: ${problem}`;
}
