import type { JudgedResource } from "./judged-resource";
import { read, textAt } from "./properties";
import { resourceTypes } from "./types";

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
 * The object that a component writes beside a bucket repeats it, and is not asked.
 */
export function deletionOf(resource: JudgedResource): DeletionWord | undefined {
  const { type, object } = resource;
  if (type === resourceTypes.bucket || type === resourceTypes.deployment) {
    return wordOf(resource, ["deletionPolicy"], "Retain");
  }
  if (object === undefined) return undefined;
  switch (object.kind) {
    case "StorageClass":
      // Kubernetes, StorageClass: the API server fills in Delete.
      return wordOf(resource, ["reclaimPolicy"], "Delete");
    case "BucketClass":
    case "DeploymentClass":
      return wordOf(resource, [policyField(resource, [])], "Retain");
    case "Bucket":
    case "BucketContent":
    case "Deployment":
      return object.ofComponent
        ? undefined
        : wordOf(resource, ["spec", policyField(resource, ["spec"])], "Retain");
    default:
      return undefined;
  }
}

/** The proposals of COSI call it `releasePolicy`. */
function policyField({ properties }: JudgedResource, path: readonly string[]): string {
  return read(properties, ...path, "releasePolicy").is === "absent" ? "deletionPolicy" : "releasePolicy";
}

function wordOf({ properties }: JudgedResource, path: readonly string[], absent: string): DeletionWord {
  const byDefault = read(properties, ...path).is === "absent";
  return { field: path.join("."), policy: byDefault ? absent : textAt(properties, ...path), byDefault };
}

/** The word as a message quotes it: `deletionPolicy is "Delete"`. */
export function quoteWord({ field, policy = "", byDefault }: DeletionWord): string {
  return byDefault
    ? `${field} is missing, which means ${JSON.stringify(policy)}`
    : `${field} is ${JSON.stringify(policy)}`;
}
