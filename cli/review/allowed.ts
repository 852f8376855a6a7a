import type { Finding } from "./finding";
import { isAccessType, typeOfUrn } from "./resources";

/** What `--allow` lets pass of some findings, and what it says that means several objects. */
export interface Allowance {
  readonly left: readonly Finding[];
  readonly problems: readonly string[];
}

/**
 * Leaves out what is meant. An entry is the name of an object as findings have it, `photos`, and where several drivers or kinds
 * of objects have that name `photos@<driver>`; either may have a category before it: `data-loss:photos`. A name that means
 * several objects lets none pass.
 */
export function withoutAllowed(findings: readonly Finding[], allow: readonly string[]): Allowance {
  const passed = new Set<Finding>();
  const problems: string[] = [];
  for (const entry of new Set(allow)) {
    const meant = findings.filter((finding) => namesOf(finding).includes(entry));
    const objects = new Map(meant.map((finding) => [keyOf(finding), finding]));
    if (objects.size > 1) problems.push(problemOf(entry, [...objects.values()]));
    else for (const finding of meant) passed.add(finding);
  }
  return { left: findings.filter((finding) => !passed.has(finding)), problems };
}

/** What may stand in `--allow` for a finding. */
function namesOf({ category, object, driver }: Finding): string[] {
  const names = [object, `${object}@${driver}`];
  return [...names, ...names.map((name) => `${category}:${name}`)];
}

function keyOf(finding: Finding): string {
  return JSON.stringify([kindOf(finding), finding.driver, finding.object]);
}

function kindOf({ category, urn }: Finding): "account" | "data" {
  if (category.startsWith("credential-")) return "account";
  if (category === "data-loss" || category === "orphaned-data") return "data";
  return isAccessType(typeOfUrn(urn)) ? "account" : "data";
}

function problemOf(entry: string, meant: readonly Finding[]): string {
  const names = meant.map(({ category, object, driver }) => `${category}:${object}@${driver}`);
  return `--allow ${entry} matches several objects, so it lets none of them pass. Next: say which: ${names.join(", ")}`;
}
