import type { JudgedResource } from "./judged-resource";
import { filled, textAt } from "./properties";

/** What a resource says of the data when it goes. */
export interface DeletionWord {
  /** Where it says so. */
  readonly field: string;
  /** `undefined` where a preview does not know it. */
  readonly policy: string | undefined;
  /** The resource says nothing: `policy` is what this means. */
  readonly byDefault: boolean;
}

/**
 * What becomes of data by a resource: a bucket, a deployment, a class of them, or an object that the program writes by itself.
 * Where nothing is said, and that keeps the data, there is no word; `undefined` is for a resource that has no say in it.
 */
export function deletionWordsOf({ places, properties }: JudgedResource): readonly DeletionWord[] | undefined {
  if (places?.deletion === undefined) return undefined;
  const said = filled(properties, places.deletion);
  if (said.length === 0 && places.deletesWithout !== undefined) {
    return [{ field: places.deletesWithout.join("."), policy: "Delete", byDefault: true }];
  }
  return said.map((path) => ({
    field: path.join("."),
    policy: textAt(properties, ...path),
    byDefault: false,
  }));
}

/** The word as a message quotes it: `deletionPolicy is "Delete"`. */
export function quoteWord({ field, policy = "", byDefault }: DeletionWord): string {
  return byDefault
    ? `${field} is missing, which means ${JSON.stringify(policy)}`
    : `${field} is ${JSON.stringify(policy)}`;
}
