import type { EnforcementLevel, Policies, PolicyPackConfig } from "@pulumi/policy";

type Setting = PolicyPackConfig[string];

/**
 * Settings in which each rule has its level. @pulumi/policy 1.21 hands settings without one to the CLI as "advisory", so that
 * a rule would lose its force by being set.
 *
 * @param level That of the pack, for rules without one of their own.
 */
export function withLevels(
  config: PolicyPackConfig,
  policies: Policies,
  level: EnforcementLevel = "advisory",
): PolicyPackConfig {
  const ofAll = levelOf(config["all"]);
  const levelled = Object.entries(config).map(([name, setting]): [string, Setting] => {
    const own = policies.find((policy) => policy.name === name)?.enforcementLevel;
    if (typeof setting === "string") return [name, setting];
    return [name, { ...setting, enforcementLevel: setting.enforcementLevel ?? ofAll ?? own ?? level }];
  });
  return Object.fromEntries(levelled);
}

function levelOf(setting: Setting | undefined): EnforcementLevel | undefined {
  return typeof setting === "string" ? setting : setting?.enforcementLevel;
}
