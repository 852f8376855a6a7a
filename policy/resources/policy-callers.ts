import { isRecord } from "../../provider/dynamic/values";
import { listed } from "./policy-document";

/** Source: IAM, JSON policy elements, Principal. */
const kinds: readonly string[] = ["aws", "canonicaluser", "federated", "service"];

/** True for a principal that names all whom it means. In any other form it may be for everybody, as some stores take it. */
export function namesPrincipals(principal: unknown): boolean {
  if (!isRecord(principal)) return namesCallers(principal);
  const entries = Object.entries(principal);
  return (
    entries.length > 0 &&
    entries.every(([kind, names]) => kinds.includes(kind.toLowerCase()) && namesCallers(names))
  );
}

/** True if there are values, and each names a caller: one has no wildcard, and no variable of the policy. */
export function namesCallers(value: unknown): boolean {
  const values = listed(value);
  return values.length > 0 && values.every((name) => typeof name === "string" && namesCaller.test(name));
}

/** S3 gives callers without credentials the user id and the account `anonymous`. Source: IAM, condition keys, aws:PrincipalAccount. */
const namesCaller = /^(?!(?:.*[:/])?anonymous$)[^*?$]+$/is;
