import { deletionWordsOf, quoteWord } from "../resources/deletion";
import { describe } from "../resources/judged-resource";
import { isGiven, textAt } from "../resources/properties";
import { resourcePolicy } from "../rule";

/** A program never deletes what was there before it. */
export const brownfieldNeedsRetain = resourcePolicy<object>({
  name: "cosi-brownfield-needs-retain",
  description: "A bucket or deployment that was there before the program is kept when its resource goes.",
  severity: "critical",
  remediationSteps:
    'Set the policy (deletionPolicy, releasePolicy or reclaimPolicy) to "Retain". To have new buckets deleted, make them from a ' +
    "class of their own that names none which is there.",
  defaults: {},
  settings: {},
  judge: (resource) => {
    const { places, properties } = resource;
    const path = places?.existing?.find((existing) => isGiven(properties, ...existing));
    const words = deletionWordsOf(resource);
    if (path === undefined || words === undefined) return undefined;
    const id = textAt(properties, ...path);
    const existing = `${path.join(".")}${id === undefined ? "" : ` ${JSON.stringify(id)}`}`;
    return words
      .filter(({ policy }) => policy !== undefined && policy !== "Retain")
      .map(
        (word) =>
          `${describe(resource)}: ${quoteWord(word)} beside ${existing}, which was there before: it would be deleted with the ` +
          `resource. Next: set ${word.field} to "Retain".`,
      );
  },
});
