import type {
  PolicyResource,
  ReportViolation,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { fitsAny } from "../globs";
import { hasAccount, type LinkedResource } from "../resources/accounts";
import { placeAt, type CredentialsPlace } from "../resources/credentials-place";
import { describe } from "../resources/judged-resource";
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
export type CopyingResource = LinkedResource & Pick<PolicyResource, "urn">;

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
 * Credentials that a program copies into a Secret of its own, with @pulumi/kubernetes, go only into namespaces that are named
 * for them. Where a Secret's data comes from is visible in the graph of the whole stack, so it is judged there, at the end of
 * a preview.
 */
export const copiedCredentialsInNamedNamespaces: StackValidationPolicy = {
  ...policyOf(rule),
  validateStack: judgeCopies,
};

const secretType = /^kubernetes:core\/v1:Secret(Patch)?$/;

function copyProblem(resource: CopyingResource, config: NamespacesConfig): string | undefined {
  if (!secretType.test(resource.type)) return undefined;
  const { data = [], stringData = [] } = resource.propertyDependencies;
  const account = [...data, ...stringData].find(hasAccount);
  if (account === undefined) return undefined;
  const place = placeAt(resource.props, "metadata", "namespace");
  const problem = unknownProblem(place) ?? namespaceProblem(place, config);
  return problem === undefined
    ? undefined
    : `${describe(resource)}, with what comes from ${describe(account)}: ${problem}`;
}

/** Once the namespace is known the Secret is written: an update judges the whole stack at its end. */
function unknownProblem({ field, namespace, isMissing }: CredentialsPlace): string | undefined {
  if (isMissing || namespace !== undefined) return undefined;
  return (
    `${field} is not known in the preview, and the up would say of it only when the Secret is written. Next: give a namespace ` +
    "that is known before the up, or have the Secret named in `except`."
  );
}
