import type { Properties } from "../properties";

/**
 * The provider's inputs of which a preview may know less than its `up`, by their names in the state: when an account's turn
 * began, and whether the program marked a value as secret, which some SDKs do not tell of one that is not known yet. A plan
 * that is saved holds no property whose name begins with two underscores.
 */
export const keptFromPlans = {
  __rotationSince: "rotationSince",
  __secretCommand: "secretCommand",
  __secretEndpoint: "secretEndpoint",
  __secretParameters: "secretParameters",
  __secretRegion: "secretRegion",
} as const satisfies Names;

/** The provider's names of inputs, by those in the state. */
export type Names = Readonly<Record<string, string>>;

/** Inputs under the provider's names; those that have them already are left alone. */
export function underOwnNames(inputs: Properties, names: Names): Properties {
  return renamed(inputs, Object.entries(names));
}

/** Inputs under the names that they have in the state. */
export function underStateNames(inputs: Properties, names: Names): Properties {
  return renamed(
    inputs,
    Object.entries(names).map(([inState, own]) => [own, inState]),
  );
}

function renamed(inputs: Properties, names: readonly (readonly [from: string, to: string])[]): Properties {
  const result = { ...inputs };
  for (const [from, to] of names) {
    if (from in result) result[to] = result[from];
    Reflect.deleteProperty(result, from);
  }
  return result;
}
