import { isRecord } from "../../provider/dynamic/values";
import { readAccessMode } from "../../provider/models/cosi-2020-07/specs";
import type { JudgedResource } from "./judged-resource";
import { textAt } from "./properties";
import { resourceTypes } from "./types";

/** What callers without credentials may do. */
export type AnonymousRight = "read" | "write";

/** A place where a resource lets callers without credentials do something. */
export interface AnonymousWord {
  readonly field: string;
  /** The word itself; of a policy document, which is long, what it is. */
  readonly value: string;
  readonly rights: readonly AnonymousRight[];
}

const rightsOfMode: Readonly<Record<string, readonly AnonymousRight[]>> = {
  private: [],
  ro: ["read"],
  wo: ["write"],
  rw: ["read", "write"],
};

/** What callers without credentials may do by a resource; `undefined` for one that has no say in it. */
export function anonymousWordsOf(resource: JudgedResource): readonly AnonymousWord[] | undefined {
  const places = placesOf(resource);
  if (places === undefined) return undefined;
  const { properties } = resource;
  return [
    ...places.modes.flatMap((field) => ofMode(field, textAt(properties, field))),
    ...places.policies.flatMap((path) => ofPolicy(path.join("."), textAt(properties, ...path))),
  ];
}

interface Places {
  readonly modes: readonly string[];
  readonly policies: readonly (readonly string[])[];
}

const policyParameter = ["parameters", "bucketPolicy"] as const;

function placesOf({ type, object }: JudgedResource): Places | undefined {
  switch (type) {
    case resourceTypes.bucket:
      return { modes: ["anonymousAccess"], policies: [policyParameter] };
    case resourceTypes.adminBucket:
      return { modes: ["anonymousAccessMode"], policies: [] };
    case resourceTypes.objectBucketClaim:
      return { modes: [], policies: [["additionalConfig", "bucketPolicy"]] };
  }
  switch (object?.kind) {
    case "BucketClass":
      return { modes: ["anonymousAccessMode"], policies: [policyParameter] };
    case "StorageClass":
      return { modes: [], policies: [policyParameter] };
    case "ObjectBucketClaim":
      return { modes: [], policies: [["spec", "additionalConfig", "bucketPolicy"]] };
    default:
      return undefined;
  }
}

function ofMode(field: string, mode: string | undefined): AnonymousWord[] {
  const rights = rightsOfMode[readAccessMode(mode) ?? ""] ?? [];
  return mode === undefined || rights.length === 0 ? [] : [{ field, value: JSON.stringify(mode), rights }];
}

/** A bucket policy of S3, as the drivers of S3 stores take it. One that is no JSON is theirs to refuse. */
function ofPolicy(field: string, text: string | undefined): AnonymousWord[] {
  if (text === undefined) return [];
  const rights = statementsOf(text).filter(isForAnybody).flatMap(rightsOfStatement);
  const distinct = [...new Set(rights)].sort();
  return distinct.length === 0
    ? []
    : [{ field, value: "a bucket policy with Principal *", rights: distinct }];
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
function isForAnybody({ Effect, Principal, NotPrincipal }: Statement): boolean {
  if (Effect !== "Allow") return false;
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
