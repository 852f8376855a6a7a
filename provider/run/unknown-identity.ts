import { isUnknown } from "../dynamic/values";
import { warn } from "./warning";

/**
 * Says in a preview that it cannot tell whether a resource stays. What names it comes from another resource that will be
 * updated: most often it is the same again, so a preview shows an update, and nothing of what a replacement would end.
 *
 * @param kind `bucket`.
 * @param name What the state has.
 * @param given What the program gives, by the property that names it.
 */
export function warnOfUnknownIdentity(
  kind: string,
  name: string,
  given: Readonly<Record<string, string | undefined>>,
): void {
  for (const [property, value] of Object.entries(given)) {
    if (!isUnknown(value)) continue;
    warn(
      kind,
      name,
      `${property} is not known yet: if it turns out to be another one, the ${kind} is replaced along with every access to ` +
        "it, whose keys end; this preview does not show that",
    );
  }
}
