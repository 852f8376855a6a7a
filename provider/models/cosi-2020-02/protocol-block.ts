import type { IssuedCredential } from "../../contracts/contract";
import { protocolFields } from "./specs";
import type { ApiProtocol } from "../cosi-proposals/protocols";

/** What the wire calls a field that a BucketContent calls otherwise. */
const wireNames: Readonly<Record<string, string>> = { serviceAccount: "serviceAccountName" };

/** Fields of a block that no object of the cluster ever says: K02-040. */
const neverFilled: readonly string[] = ["accountKey"];

/**
 * The block of a BucketContent that says where a bucket is and who its account is: K02-043. Fields without a value are left
 * out.
 */
export function identityFields(
  protocol: ApiProtocol,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = protocolFields[protocol]
    .filter((field) => !neverFilled.includes(field))
    .map((field) => [field, values[field] ?? values[wireNames[field] ?? field] ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/** The same, of what a driver issued. */
export function issuedFields(protocol: ApiProtocol, issued: IssuedCredential | null): Record<string, string> {
  return identityFields(protocol, issued?.values ?? {});
}
