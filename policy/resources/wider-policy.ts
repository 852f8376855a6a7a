import { canonical, isRecord } from "../../provider/dynamic/values";
import { fitsAny } from "../globs";
import { listed, statementsOf, type Statement } from "./policy-document";

/**
 * True if a bucket policy may allow more than the one in whose place it is put: it has a statement that allows something which
 * none of before did, or has lost one that denies. An empty text is no policy.
 */
export function isWiderPolicy(before: string, after: string): boolean {
  if (before === after) return false;
  const was = statementsIn(before);
  const is = statementsIn(after);
  if (was === undefined || is === undefined) return true;
  return (
    !areCovered(is.filter(allows), was.filter(allows)) || !areCovered(was.filter(denies), is.filter(denies))
  );
}

function statementsIn(text: string): readonly Statement[] | undefined {
  return text === "" ? [] : statementsOf(text);
}

function denies(statement: Statement): boolean {
  return statement.get("effect") === "Deny";
}

function allows(statement: Statement): boolean {
  return !denies(statement);
}

function areCovered(narrow: readonly Statement[], wide: readonly Statement[]): boolean {
  return narrow.every((statement) => wide.some((other) => covers(other, statement)));
}

/** What a statement is for: each list of it may be a part of the other one's. */
const lists = ["principal", "action", "resource"];
const exceptions = ["notprincipal", "notaction", "notresource"];

function covers(wide: Statement, narrow: Statement): boolean {
  const isSame = (name: string): boolean => canonical(wide.get(name)) === canonical(narrow.get(name));
  return (
    exceptions.every(isSame) &&
    (!wide.has("condition") || isSame("condition")) &&
    lists.every((name) => {
      const [texts, patterns] = [textsOf(narrow.get(name)), textsOf(wide.get(name))];
      if (texts.length === 0) return isSame(name);
      return texts.every((text) => isWithin(text, patterns, name === "action"));
    })
  );
}

/** The entries of a list as texts; those of a principal with their kinds. */
function textsOf(value: unknown): string[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([kind, names]) => textsOf(names).map((name) => `${kind}:${name}`));
  }
  return listed(value).map((entry) => (typeof entry === "string" ? entry : canonical(entry)));
}

/** A pattern that fits another one as if that were a text has all that it has. A variable of the policy stands for itself. */
function isWithin(text: string, patterns: readonly string[], ofAnyCase: boolean): boolean {
  const plain = patterns.filter((pattern) => !pattern.includes("$"));
  return patterns.includes(text) || fitsAny(text, plain, ofAnyCase);
}
