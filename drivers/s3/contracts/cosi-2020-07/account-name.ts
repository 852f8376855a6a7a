import { createHash } from "node:crypto";

/** Names in the core have at most 63 characters; an access object's may have 253. */
const READABLE = 46;
const HASH = 16;

/**
 * The name of the account that an access has to a bucket: readable, and another one for every pair, since the access of
 * one cluster may be called as that of another.
 */
export function accountNameOf(bucket: string, access: string): string {
  const hash = createHash("sha256").update(`${bucket}\n${access}`).digest("hex").slice(0, HASH);
  return `${access.slice(0, READABLE)}-${hash}`;
}
