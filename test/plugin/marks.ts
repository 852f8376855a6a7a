import * as pulumi from "@pulumi/pulumi";

/** A value as the engine marks a secret one. */
export function secret(value: unknown): Record<string, unknown> {
  return { [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig, value };
}

/** What the engine sends for a value that it does not know yet. */
export const unknown: string = pulumi.runtime.unknownValue;
