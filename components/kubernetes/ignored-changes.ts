import type * as pulumi from "@pulumi/pulumi";
import { ProblemError, quoted } from "./problem";

/** Arguments of every component that may be left out of changes. */
const ofMetadata = ["annotations", "labels"];

/** An argument that `ignoreChanges` names, and the path below it: `labels.team`. */
export interface IgnoredArgument {
  readonly argument: string;
  /** `.team`; empty for the argument as a whole. */
  readonly below: string;
}

/** What children carry of a component's arguments: by the argument, the properties. */
export type Carried = Readonly<Record<string, readonly string[]>>;

/**
 * The arguments that a component is told to leave out of changes. Pulumi hands the option to no child.
 *
 * @param possible The arguments of which a change is made in place.
 * @throws ProblemError for another one: the change that it speaks of would be made all the same.
 */
export function ignoredArguments(
  opts: pulumi.ComponentResourceOptions | undefined,
  possible: readonly string[],
): IgnoredArgument[] {
  const known = [...possible, ...ofMetadata].sort();
  return (opts?.ignoreChanges ?? []).map((path) => {
    const [argument = ""] = /^\w+/.exec(path) ?? [];
    if (known.includes(argument)) return { argument, below: path.slice(argument.length) };
    throw new ProblemError(
      `ignoreChanges has ${JSON.stringify(path)}, and only changes that are made in place can be ignored here: those of ` +
        `${quoted(known)}. Next: take it out, and keep the old value in the program`,
    );
  });
}

/** The option for a child that carries arguments in these properties. */
export function ignoring(
  { ignored }: { readonly ignored: readonly IgnoredArgument[] },
  carried: Carried,
): Pick<pulumi.CustomResourceOptions, "ignoreChanges"> {
  const ignoreChanges = ignored.flatMap(({ argument, below }) =>
    (carried[argument] ?? []).map((property) => `${property}${below}`),
  );
  return ignoreChanges.length === 0 ? {} : { ignoreChanges };
}

/** Arguments that a child carries under their own names. */
export function carriedAs(...names: readonly string[]): Carried {
  return Object.fromEntries(names.map((name) => [name, [name]]));
}
