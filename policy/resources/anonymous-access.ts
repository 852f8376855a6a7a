import { readAccessMode } from "../../provider/models/cosi-2020-07/specs";
import { readBucketPolicy, type AnonymousRight } from "./bucket-policy";
import type { JudgedResource } from "./judged-resource";
import { filled, read, textAt, type Reading } from "./properties";

/** A place where a resource lets callers without credentials do something. */
export interface AnonymousWord {
  readonly field: string;
  /** The word itself; of a policy document, which is long, what it is. */
  readonly value: string;
  readonly rights: readonly AnonymousRight[];
  /** It cannot be read for sure: the rights are all that it may give. */
  readonly isDoubtful: boolean;
}

const rightsOfMode: Readonly<Record<string, readonly AnonymousRight[]>> = {
  private: [],
  ro: ["read"],
  wo: ["write"],
  rw: ["read", "write"],
};

/** What callers without credentials may do by a resource; `undefined` for one that has no say in it. */
export function anonymousWordsOf({
  places,
  properties,
}: Pick<JudgedResource, "places" | "properties">): readonly AnonymousWord[] | undefined {
  const { anonymousMode, bucketPolicy } = places ?? {};
  if (anonymousMode === undefined && bucketPolicy === undefined) return undefined;
  const modes = filled(properties, anonymousMode ?? []);
  const policies = filled(properties, bucketPolicy ?? []);
  return [
    ...modes.flatMap((path) => ofMode(path.join("."), textAt(properties, ...path))),
    ...policies.flatMap((path) => ofPolicy(path.join("."), read(properties, ...path))),
  ];
}

function ofMode(field: string, mode: string | undefined): AnonymousWord[] {
  const rights = rightsOfMode[readAccessMode(mode) ?? ""] ?? [];
  if (mode === undefined || rights.length === 0) return [];
  return [{ field, value: JSON.stringify(mode), rights, isDoubtful: false }];
}

/** A policy may be a secret: a message says nothing of what is in it. */
function ofPolicy(field: string, policy: Reading): AnonymousWord[] {
  // An empty text ends a policy.
  if (policy.is !== "known" || policy.value === "") return [];
  const { rights, isDoubtful } = readBucketPolicy(typeof policy.value === "string" ? policy.value : "");
  if (rights.length === 0) return [];
  const value = isDoubtful
    ? "a bucket policy that cannot be read for sure and so counts as one for everybody"
    : "a bucket policy with a statement for everybody";
  return [{ field, value, rights, isDoubtful }];
}
