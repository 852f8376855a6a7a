import type {
  PolicyConfigSchema,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  Severity,
} from "@pulumi/policy";
import { fitsAny } from "./globs";
import { requireSettingsOf } from "./known-settings";
import { judgedResource, type JudgedResource, type ValidatedResource } from "./resources/judged-resource";

/** Settings that every rule has. */
export interface CommonConfig {
  /**
   * Resources that the rule leaves alone, by their names in the program; `*` stands for any characters.
   *
   * @default none
   */
  readonly except: readonly string[];
}

/** What a rule is, beside its judgement. */
export interface RuleDescription<Config extends object> {
  readonly name: string;
  /** What it asks for, in one sentence. */
  readonly description: string;
  readonly severity: Severity;
  /** What to do about a violation. */
  readonly remediationSteps: string;
  readonly defaults: Config;
  /** JSON schemas of its settings, beside those that every rule has. */
  readonly settings: Readonly<Record<keyof Config & string, PolicyConfigSchema["properties"][string]>>;
}

/** A rule about single resources. */
export interface Rule<Config extends object> extends RuleDescription<Config> {
  /** Violations, each as one message; `undefined` for a resource that the rule is not about. */
  readonly judge: (resource: JudgedResource, config: Config) => readonly string[] | undefined;
}

/** What the policy of a rule needs of what it is given. */
export type RuleArgs = ValidatedResource & Pick<ResourceValidationArgs, "getConfig" | "notApplicable">;

/** A list of texts, as a setting. @param defaults What it is without configuration. */
export function textsSetting(description: string, defaults: readonly string[]) {
  return { type: "array", items: { type: "string" }, description, default: [...defaults] } as const;
}

/** Makes the policy of a rule. It is mandatory, unless the pack or its configuration says otherwise. */
export function resourcePolicy<Config extends object>(rule: Rule<Config>): ResourceValidationPolicy {
  return {
    ...policyOf(rule),
    validateResource: (args: RuleArgs, reportViolation) => {
      const config = configOf(rule, args);
      const resource = judgedResource(args);
      if (fitsAny(resource.name, config.except)) return args.notApplicable("the configuration excepts it");
      const violations = rule.judge(resource, config);
      if (violations === undefined) return args.notApplicable("the rule is not about this resource");
      for (const violation of violations) reportViolation(violation);
    },
  };
}

/** What policies of resources and of stacks have in common. */
export function policyOf<Config extends object>(rule: RuleDescription<Config>) {
  const { name, description, severity, remediationSteps, settings } = rule;
  const except = textsSetting("Names in the program of resources that the rule leaves alone", []);
  const configSchema = { properties: { ...settings, except } };
  return { name, description, severity, remediationSteps, enforcementLevel, configSchema };
}

const enforcementLevel = "mandatory" as const;

/**
 * The settings of a rule, with its defaults where none are given.
 *
 * @throws Error for one that it does not have.
 */
export function configOf<Config extends object>(
  rule: RuleDescription<Config>,
  { getConfig }: Pick<ResourceValidationArgs, "getConfig">,
): Config & CommonConfig {
  const given = getConfig<Partial<Config & CommonConfig>>();
  // Of a file the pack itself sees nothing.
  requireSettingsOf(policyOf(rule), given);
  return { except: [], ...rule.defaults, ...given };
}
