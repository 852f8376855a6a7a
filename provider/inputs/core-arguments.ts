import * as pulumi from "@pulumi/pulumi";
import { argumentsProblem } from "./arguments";
import described from "./argument-types.json";
import type { DescribedArguments } from "./described";

const types: DescribedArguments = described;

/**
 * Refuses arguments that a class of the core cannot take.
 *
 * @throws RunError that names each of them.
 */
export function requireArguments(type: keyof typeof described, name: string, args: unknown): void {
  const problem = argumentsProblem(types[type], args);
  if (problem !== undefined) throw new pulumi.RunError(`${type} ${name}: ${problem}`);
}
