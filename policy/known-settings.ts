import type { Policies, PolicyPackConfig } from "@pulumi/policy";

/** Settings that are Pulumi's own. */
const ofEvery = ["enforcementLevel"];
const levels = ["advisory", "mandatory", "remediate", "disabled"];

/** What a rule can be set by. */
type Configurable = Pick<Policies[number], "name" | "configSchema">;

/**
 * Judges the settings of a pack: a rule or a setting whose name is not right would leave what it was meant for without force, and
 * nobody would see it.
 *
 * @throws Error that names the wrong one, and the right ones.
 */
export function requireKnownSettings(config: PolicyPackConfig, policies: readonly Configurable[]): void {
  for (const [name, setting] of Object.entries(config)) {
    const policy = policies.find((each) => each.name === name);
    if (policy === undefined && name !== "all") {
      throw new Error(
        `config has ${JSON.stringify(name)}, which is no rule of this pack: use one of ` +
          ["all", ...policies.map((each) => each.name)].join(", "),
      );
    }
    const level = typeof setting === "string" ? setting : setting.enforcementLevel;
    if (level !== undefined && !levels.includes(level)) {
      throw new Error(
        `config of ${name}: enforcementLevel is ${JSON.stringify(level)}: use one of ${levels.join(", ")}`,
      );
    }
    if (policy !== undefined && typeof setting !== "string") requireSettingsOf(policy, setting);
  }
}

/** @throws Error for a setting that the rule does not have. A rule that describes none may have any. */
export function requireSettingsOf(
  { name, configSchema }: Configurable,
  settings: Readonly<Record<string, unknown>>,
): void {
  if (configSchema === undefined) return;
  const known = [...ofEvery, ...Object.keys(configSchema.properties)];
  const wrong = Object.keys(settings).find((key) => !known.includes(key));
  if (wrong === undefined) return;
  throw new Error(
    `config of ${name} has ${JSON.stringify(wrong)}, which is no setting of this rule: use one of ${known.join(", ")}`,
  );
}
