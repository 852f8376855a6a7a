import { isRecord } from "../../provider/dynamic/values";
import { sureJson } from "./sure-json";

/** A statement of a bucket policy: its members by their names in small letters. */
export type Statement = ReadonlyMap<string, unknown>;

/** Source: IAM, JSON policy elements. */
const documentNames = ["version", "id", "statement"];
const statementNames = [
  "sid",
  "effect",
  "principal",
  "notprincipal",
  "action",
  "notaction",
  "resource",
  "notresource",
  "condition",
];

/**
 * The statements of a bucket policy, whatever the letters of its names; `undefined` for one that cannot be read for sure: it is
 * no JSON, or has a name twice or one that policies do not have.
 */
export function statementsOf(text: string): readonly Statement[] | undefined {
  const members = membersOf(sureJson(text), documentNames);
  if (members === undefined) return undefined;
  const statements = listed(members.get("statement")).map((value) => membersOf(value, statementNames));
  return statements.every((statement) => statement !== undefined) ? statements : undefined;
}

/** The entries of a list, or what stands in the place of one. */
export function listed(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function membersOf(value: unknown, known: readonly string[]): Statement | undefined {
  if (!isRecord(value)) return undefined;
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  return [...members.keys()].every((name) => known.includes(name)) ? members : undefined;
}
