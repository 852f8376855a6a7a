import type * as pulumi from "@pulumi/pulumi";
import { tellerOf } from "./internal-properties";

/**
 * The options of a resource, with `ignoreChanges` by the names of its inputs: Pulumi compares these, and an argument may have
 * another name than the input that carries it.
 *
 * @param inputs The inputs by their argument; what is not in it has one name.
 */
export function ignoringInputs(
  opts: pulumi.CustomResourceOptions,
  inputs: Readonly<Record<string, readonly string[]>>,
): pulumi.CustomResourceOptions {
  const { ignoreChanges } = opts;
  if (ignoreChanges === undefined) return opts;
  const named = ignoreChanges.flatMap((path) => {
    const [argument = ""] = /^\w+/.exec(path) ?? [];
    const carriers = Object.hasOwn(inputs, argument) ? inputs[argument] : undefined;
    return carriers?.map((input) => `${input}${path.slice(argument.length)}`) ?? [path];
  });
  return { ...opts, ignoreChanges: named };
}

/** Names of the internal properties that the option leaves as they are: those that tell something of what it names. */
export function ignoredInternally({ ignoreChanges = [] }: pulumi.CustomResourceOptions): string[] {
  return ignoreChanges.map(tellerOf).filter((name) => name !== undefined);
}
