import {
  PolicyPack,
  type EnforcementLevel,
  type Policies,
  type PolicyPackArgs,
  type PolicyPackConfig,
} from "@pulumi/policy";
import { withLevels } from "./enforcement";
import { requireKnownSettings } from "./known-settings";
import type { CommonConfig } from "./rule";
import { allowedDrivers, type AllowedDriversConfig } from "./rules/allowed-drivers";
import { brownfieldNeedsRetain } from "./rules/brownfield-needs-retain";
import { copiedCredentialsInNamedNamespaces } from "./rules/copied-credentials-in-named-namespaces";
import { credentialsInNamedNamespaces } from "./rules/credentials-in-named-namespaces";
import type { NamespacesConfig } from "./rules/namespaces";
import { noAnonymousWrite, type NoAnonymousWriteConfig } from "./rules/no-anonymous-write";
import { noDeleteInProduction, type NoDeleteInProductionConfig } from "./rules/no-delete-in-production";

/** All rules of this package, for a pack that also has others. */
export const policies: Policies = [
  noDeleteInProduction,
  noAnonymousWrite,
  brownfieldNeedsRetain,
  credentialsInNamedNamespaces,
  copiedCredentialsInNamedNamespaces,
  allowedDrivers,
];

/** How a rule is configured: an enforcement level, or settings with or without one. */
export type RuleSettings<Config extends object> =
  EnforcementLevel | ({ readonly enforcementLevel?: EnforcementLevel } & Partial<Config & CommonConfig>);

/** Settings of the rules, by rule name. What is left out has its default. */
export interface CosiPolicyConfig {
  readonly "cosi-no-delete-in-production"?: RuleSettings<NoDeleteInProductionConfig>;
  readonly "cosi-no-anonymous-write"?: RuleSettings<NoAnonymousWriteConfig>;
  readonly "cosi-brownfield-needs-retain"?: RuleSettings<object>;
  readonly "cosi-credentials-in-named-namespaces"?: RuleSettings<NamespacesConfig>;
  readonly "cosi-copied-credentials-in-named-namespaces"?: RuleSettings<NamespacesConfig>;
  readonly "cosi-allowed-drivers"?: RuleSettings<AllowedDriversConfig>;
}

/** Options of a policy pack, in addition to the rules of this package. */
export interface CosiPolicyPackOptions extends Omit<PolicyPackArgs, "policies"> {
  /**
   * Settings of the rules. A file given with `--policy-pack-config` takes precedence over them.
   *
   * @default the default of each rule
   */
  readonly config?: CosiPolicyConfig & PolicyPackConfig;
  /**
   * Further rules of the organisation's own.
   *
   * @default none
   */
  readonly policies?: Policies;
  /**
   * What a violation does.
   *
   * @default "mandatory": the preview, or the update, fails
   */
  readonly enforcementLevel?: EnforcementLevel;
}

/**
 * Makes a policy pack from the rules of this package. One call is the whole program in a policy pack's folder; a process has
 * only one pack.
 *
 * @throws Error for settings of a rule that the pack does not have, and for a setting that the rule does not have.
 * @example
 * ```ts
 * import { cosiPolicyPack } from "pulumi-cosi/policy";
 *
 * cosiPolicyPack("storage", { config: { "cosi-allowed-drivers": { drivers: ["cosi.example.com"] } } });
 * ```
 */
export function cosiPolicyPack(name = "cosi", options: CosiPolicyPackOptions = {}): PolicyPack {
  const { config = {}, policies: others = [], enforcementLevel, ...args } = options;
  const level = enforcementLevel === undefined ? {} : { enforcementLevel };
  const all = [...policies.map((rule) => ({ ...rule, ...level })), ...others];
  requireKnownSettings(config, all);
  return new PolicyPack(
    name,
    { ...args, ...level, policies: all },
    withLevels(config, all, enforcementLevel),
  );
}
