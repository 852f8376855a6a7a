import * as pulumi from "@pulumi/pulumi";
import { secretMask } from "../driver/secrets/secret-mask";
import { secretValues } from "./values";

/**
 * Whether a program marked an input, or a part of it, as secret; `undefined` for "no", so that nothing is recorded
 * then. Pulumi hands values to a provider in plain text, and it must know what to keep out of its messages.
 */
export async function isSecretInput(value: unknown): Promise<true | undefined> {
  return (await pulumi.isSecret(pulumi.output(value))) ? true : undefined;
}

/** Parameters, and whether the program marked one of them as secret. */
export interface Parameters {
  parameters?: Record<string, string>;
  secretParameters?: boolean;
}

/** Keeps the values of secret parameters out of every text of this process. */
export function maskParameters(inputs: Parameters): void {
  if (inputs.secretParameters !== true) return;
  for (const value of Object.values(inputs.parameters ?? {})) secretMask.remember(value);
}

/**
 * The properties as Pulumi is to keep them, with secret parameters marked as such. Pulumi takes what is secret from the
 * program, which may say nothing of parameters that were kept from a class as it was.
 */
export function withSecretParameters<T extends Parameters>(properties: T): T {
  const { parameters, secretParameters } = properties;
  if (parameters === undefined || secretParameters !== true) return properties;
  return { ...properties, parameters: secretValues(parameters) };
}
