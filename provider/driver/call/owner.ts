import { createHash } from "node:crypto";

/**
 * Metadata with which a create or grant says for whom it asks, in a way that tells nothing but equal or not. The contract
 * has no field for it, and drivers that do not know it pass it over. `cosi-driver-s3` records it, and refuses a name to
 * a second owner, whom the contract's idempotency would give the bucket of the first.
 */
export const ownerMetadata = "pulumi-cosi-owner";

/**
 * Metadata with which a grant says what it asks for, the same in each repeat, for a contract that has no name for an
 * account. `cosi-driver-s3` answers a repeat with the same account, and another one with an account of its own; drivers
 * that do not know it pass it over.
 */
export const requestMetadata = "pulumi-cosi-request";

/** What a resource asks for, in a way that tells nothing but equal or not. */
export function requestOf(...asked: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(["request", ...asked]))
    .digest("hex")
    .slice(0, 32);
}

/**
 * Who owns what a resource has made: the stack, where objects in the cluster carry its id, which a stack that lost its
 * state can be told again; else the Driver resource.
 *
 * @param driver `seed` is a random text that the Driver resource recorded at its own create, which no other stack has,
 *   `ownerSeed` that of the one by which it was asked for first. @default `seed`
 * @param stackId The stack's id in the cluster. @default none
 */
export function ownerOf(
  { seed, ownerSeed = seed }: { seed: string; ownerSeed?: string },
  stackId?: string | null,
): string {
  return createHash("sha256")
    .update(`owner ${stackId ?? ownerSeed}`)
    .digest("hex")
    .slice(0, 32);
}
