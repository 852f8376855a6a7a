import { isUnknown } from "../dynamic/values";

/** A claim as the state has it: nothing before the create, and where a replacement is planned. */
export type RecordedClaim = { readonly uid: string } | null | undefined;

/** UID of a claim; `undefined` where a preview does not know it, and for `""`, which stands for a UID that nobody was told. */
export function uidOf(claim: RecordedClaim): string | undefined {
  const uid = claim?.uid;
  return uid === "" || isUnknown(uid) ? undefined : uid;
}
