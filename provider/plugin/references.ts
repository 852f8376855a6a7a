import * as pulumi from "@pulumi/pulumi";
import { isRecord, isUnknown, plain } from "../dynamic/values";
import type { InputProblem } from "./kind";

/**
 * What is wrong with an input that is another resource's output `reference`, or `undefined`.
 *
 * @param token Type of the other resource, as YAML has it.
 * @param fields Fields that such a reference always has.
 */
export function referenceProblem(
  property: string,
  given: unknown,
  token: string,
  fields: readonly string[],
): InputProblem | undefined {
  const value = plain(given);
  const way = `give the output reference of a ${token}`;
  if (value === undefined || value === null) return { property, reason: `is missing: ${way}` };
  if (isUnknown(value) || (isRecord(value) && fields.every((field) => field in value))) return undefined;
  return { property, reason: `is no reference: ${way}` };
}

export const driverFields = ["contract", "driverName", "seed"] as const;

/**
 * A driver of which nothing is known yet, as in the first preview of a program: SDKs make of an output that is unknown in
 * part one that is unknown altogether. It fails no check.
 */
export function unknownDriver(contract: string = pulumi.runtime.unknownValue): Record<string, unknown> {
  const unknown = pulumi.runtime.unknownValue;
  return {
    endpoint: unknown,
    command: unknown,
    environment: unknown,
    contract,
    largeFields: true,
    driverName: unknown,
    seed: unknown,
  };
}

/** True for what {@link unknownDriver} has made, after a check too, which puts in what the state knows. */
export function isUnknownDriver(driver: unknown): boolean {
  return isRecord(driver) && isUnknown(driver["endpoint"]) && isUnknown(driver["command"]);
}
