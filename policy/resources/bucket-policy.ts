import { namesPrincipals } from "./policy-callers";
import { needsCredentials } from "./policy-condition";
import { listed, statementsOf, type Statement } from "./policy-document";

/** What callers without credentials may do. */
export type AnonymousRight = "read" | "write";

/** What a bucket policy says of callers without credentials. */
export interface PolicyReading {
  readonly rights: readonly AnonymousRight[];
  /** The policy cannot be read for sure: the rights are all that it may give. */
  readonly isDoubtful: boolean;
}

const all: readonly AnonymousRight[] = ["read", "write"];

/**
 * Reads what callers without credentials may do by a bucket policy of S3, as the drivers of S3 stores take it. What cannot be
 * read for sure counts as the worst that it may be.
 */
export function readBucketPolicy(text: string): PolicyReading {
  const statements = statementsOf(text);
  if (statements === undefined) return { rights: all, isDoubtful: true };
  const rights = statements.filter(isForAnybody).flatMap(rightsOfStatement);
  return { rights: [...new Set(rights)].sort(), isDoubtful: false };
}

/** Source: Amazon S3, bucket policies, anonymous principal. All but the named ones are anybody too. */
function isForAnybody(statement: Statement): boolean {
  if (statement.get("effect") === "Deny" || needsCredentials(statement.get("condition"))) return false;
  return statement.has("notprincipal") || !namesPrincipals(statement.get("principal"));
}

function rightsOfStatement(statement: Statement): readonly AnonymousRight[] {
  const actions = listed(statement.get("action"));
  if (statement.has("notaction") || actions.length === 0) return all;
  return actions.flatMap(rightsOfAction);
}

const readingActions = ["s3:get", "s3:list", "s3:head"];

function rightsOfAction(action: unknown): readonly AnonymousRight[] {
  if (typeof action !== "string") return all;
  const [fixed = "", ...wild] = action.toLowerCase().split(/[*?]/);
  if (readingActions.some((reading) => fixed.startsWith(reading))) return ["read"];
  // What begins so may go on as a reading action, or as another one.
  const mayRead = wild.length > 0 && readingActions.some((reading) => reading.startsWith(fixed));
  return mayRead ? all : ["write"];
}
