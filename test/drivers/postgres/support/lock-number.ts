import { createHash } from "node:crypto";

/** The number of a lock of the driver's, which everybody can compute. */
export function lockNumber(key: string): string {
  return createHash("sha256").update(`pulumi-cosi\n${key}`).digest().readBigInt64BE().toString();
}
