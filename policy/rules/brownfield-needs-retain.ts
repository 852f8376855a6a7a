import { deletionOf, quoteWord } from "../resources/deletion";
import { describe, type JudgedResource } from "../resources/judged-resource";
import { isGiven, textAt } from "../resources/properties";
import { resourceTypes } from "../resources/types";
import { resourcePolicy } from "../rule";

/** What was there before a program is never deleted by it. */
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
    const path = existingOf(resource);
    const word = deletionOf(resource);
    if (path === undefined || word === undefined || !isGiven(resource.properties, ...path)) return undefined;
    if (word.policy === undefined || word.policy === "Retain") return [];
    const id = textAt(resource.properties, ...path);
    return [
      `${describe(resource)}: ${quoteWord(word)} beside ${path.join(".")}${id === undefined ? "" : ` ${JSON.stringify(id)}`}, ` +
        `which was there before: it would be deleted with the resource. Next: set ${word.field} to "Retain".`,
    ];
  },
});

/** Where a resource names what was there before. */
function existingOf({ type, object }: JudgedResource): readonly string[] | undefined {
  if (type === resourceTypes.bucket) return ["existingBucketId"];
  if (type === resourceTypes.deployment) return ["existingDeploymentId"];
  switch (object?.kind) {
    case "Bucket":
      return ["spec", "existingBucketID"];
    case "Deployment":
      return ["spec", "existingDeploymentID"];
    case "StorageClass":
      return ["parameters", "bucketName"];
    // COSI proposal of 2020-02-27.
    case "BucketClass":
      return ["bucketIdentifier"];
    default:
      return undefined;
  }
}
