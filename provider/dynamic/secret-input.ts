import * as pulumi from "@pulumi/pulumi";
import { secretMask } from "../driver/secrets/secret-mask";

/**
 * Whether a program marked an input, or a part of it, as secret; `undefined` for "no", so that nothing is recorded
 * then. Pulumi hands values to a provider in plain text, and it must know what to keep out of its messages.
 */
export async function isSecretInput(value: unknown): Promise<true | undefined> {
  return (await pulumi.isSecret(pulumi.output(value))) ? true : undefined;
}

/** Keeps the values of secret parameters out of every text of this process. */
export function maskParameters(inputs: {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly secretParameters?: boolean;
}): void {
  if (inputs.secretParameters !== true) return;
  for (const value of Object.values(inputs.parameters ?? {})) secretMask.remember(value);
}
