import { createHash, randomUUID } from "node:crypto";

/** Names in the core have at most 63 characters, those of buckets too. */
const READABLE = 42;
const HASH = 20;

/** The name of the account that comes with a bucket, the same in each repeat of the create. */
export function createdAccountName(bucket: string): string {
  return nameOf(bucket, "create");
}

/**
 * The name of an account that is granted. The contract has none in a grant: one that the caller tells apart by itself has
 * an account of its own, the same in each repeat, and any other a new one.
 *
 * @param id What the caller asks for, the same in each repeat. @default the caller does not tell
 */
export function grantedAccountName(bucket: string, id: string = randomUUID()): string {
  return nameOf(bucket, "grant", id);
}

/** Readable, and not to be met by the name that a caller of another contract gives to an account. */
function nameOf(bucket: string, ...parts: readonly string[]): string {
  const text = ["cosi-2020-02", bucket, ...parts].join("\n");
  return `${bucket.slice(0, READABLE)}-${createHash("sha256").update(text).digest("hex").slice(0, HASH)}`;
}
