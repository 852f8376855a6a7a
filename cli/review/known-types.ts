import { resourceTypes } from "../../policy/resources/types";
import { dynamicPrefix, isOwnDynamicType } from "../../provider/dynamic/type-token";

const { driver, bucket, bucketAccess, deployment, deploymentAccess } = resourceTypes;

/** The core resources, which programs in every language have. */
const coreTypes: readonly string[] = [driver, bucket, bucketAccess, deployment, deploymentAccess].flat();

/** What components write around them: objects in the cluster, and what is recorded of them. */
const componentTypes: readonly string[] = [
  "cosi/cosi20200227:BucketBinding",
  "cosi/cosi20200227:ContentBinding",
  "cosi/cosi20200227:SourceSecret",
  "cosi/cosi20200708:AccessRequestBinding",
  "cosi/cosi20200708:AdminBucket",
  "cosi/cosi20200708:BucketBinding",
  "cosi/cosi20200708:DefaultClassGuard",
  "cosi/cosi20200708:RequestBinding",
  "cosi/deployment:RequestBinding",
  "cosi/kubernetes:ConfigMap",
  "cosi/kubernetes:CustomResourceDefinitions",
  "cosi/kubernetes:DeletionGuard",
  "cosi/kubernetes:NameGuard",
  "cosi/kubernetes:Secret",
  "cosi/objectbucket:AdoptedClaim",
  "cosi/objectbucket:Claim",
  "cosi/objectbucket:ObjectBucketBinding",
  "cosi/objectstorage:ClaimBinding",
].map((type) => `${dynamicPrefix}${type}`);

/** True for the type of a resource of the plugin that this version has: `cosi:index:Bucket`. */
export function isPluginType(type: string): boolean {
  return !type.startsWith(dynamicPrefix) && coreTypes.includes(type);
}

/**
 * True for the type of a resource of this package that this version does not have, so that nobody can say what becomes of it.
 * Components hold nothing themselves, and are called `cosi:` as the plugin's resources are.
 *
 * @param isCustom It has a provider: it is no component.
 */
export function isUnheardOf(type: string, isCustom: boolean): boolean {
  const isOwn =
    isOwnDynamicType(type) || type.startsWith("cosi:index:") || (isCustom && type.startsWith("cosi:"));
  return isOwn && !coreTypes.includes(type) && !componentTypes.includes(type);
}
