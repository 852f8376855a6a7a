import { isRecord } from "../../provider/dynamic/values";
import { needsCredentials } from "./policy-condition";

/** What callers without credentials may do. */
export type AnonymousRight = "read" | "write";

/**
 * What callers without credentials may do by a bucket policy of S3, as the drivers of S3 stores take it. One that is no JSON is
 * theirs to refuse.
 */
export function anonymousRightsOf(text: string): readonly AnonymousRight[] {
  const rights = statementsOf(text).filter(isForAnybody).flatMap(rightsOfStatement);
  return [...new Set(rights)].sort();
}

type Statement = Readonly<Record<string, unknown>>;

function statementsOf(text: string): Statement[] {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    return [];
  }
  return listed(isRecord(policy) ? policy["Statement"] : undefined).filter(isRecord);
}

/** Source: Amazon S3, bucket policies, anonymous principal. All but the named ones are anybody too. */
function isForAnybody({ Effect, Principal, NotPrincipal, Condition }: Statement): boolean {
  if (Effect !== "Allow" || needsCredentials(Condition)) return false;
  if (NotPrincipal !== undefined) return true;
  return Principal === "*" || (isRecord(Principal) && listed(Principal["AWS"]).includes("*"));
}

const readingAction = /^s3:(Get|List|Head)/i;

function rightsOfStatement({ Action, NotAction }: Statement): AnonymousRight[] {
  if (NotAction !== undefined) return ["read", "write"];
  return listed(Action).flatMap((action): AnonymousRight[] => {
    if (typeof action !== "string") return [];
    if (readingAction.test(action)) return ["read"];
    return action === "*" || /^s3:\*$/i.test(action) ? ["read", "write"] : ["write"];
  });
}

function listed(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
