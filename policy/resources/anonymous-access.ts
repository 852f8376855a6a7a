import { readAccessMode } from "../../provider/models/cosi-2020-07/specs";
import { anonymousRightsOf, type AnonymousRight } from "./bucket-policy";
import type { JudgedResource } from "./judged-resource";
import { filled, textAt } from "./properties";

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
    ...policies.flatMap((path) => ofPolicy(path.join("."), textAt(properties, ...path))),
  ];
}

function ofMode(field: string, mode: string | undefined): AnonymousWord[] {
  const rights = rightsOfMode[readAccessMode(mode) ?? ""] ?? [];
  return mode === undefined || rights.length === 0 ? [] : [{ field, value: JSON.stringify(mode), rights }];
}

function ofPolicy(field: string, text: string | undefined): AnonymousWord[] {
  const rights = text === undefined ? [] : anonymousRightsOf(text);
  return rights.length === 0 ? [] : [{ field, value: "a bucket policy with Principal *", rights }];
}
