import type * as pulumi from "@pulumi/pulumi";
import { ProblemError, quoted } from "./problem";

/** Arguments whose changes every component can ignore. */
const ofMetadata = ["annotations", "labels"];

/** An argument that `ignoreChanges` names, and the path below it: `labels.team`. */
export interface IgnoredArgument {
  readonly argument: string;
  /** `.team`; empty for the argument as a whole. */
  readonly below: string;
}

/** Which of a component's arguments its children carry: by argument, the properties. */
export type Carried = Readonly<Record<string, readonly string[]>>;

/**
 * The arguments whose changes a component is told to ignore. Pulumi does not hand the option to children.
 *
 * @param possible The arguments whose changes are made in place.
 * @throws ProblemError for another argument: its change would be made all the same.
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
      `ignoreChanges has ${JSON.stringify(path)}, but only changes that are made in place can be ignored here: those of ` +
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
