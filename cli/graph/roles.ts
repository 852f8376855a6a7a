import { dynamicPrefix, isOwnDynamicType } from "../../provider/dynamic/type-token";

/** What a platform engineer thinks in, from what is there first to what needs it. */
export const roles = [
  "driver",
  "class",
  "static",
  "claim",
  "bucket",
  "access",
  "secret",
  "workload",
] as const;

export type Role = (typeof roles)[number];

/** What a resource stands for, and what a reader calls it. */
export interface RoleOfType {
  readonly role: Role;
  /** Kind of the object: `BucketClaim`; of what is at a driver a noun: `bucket`. */
  readonly kind: string;
}

/** Components by the last two parts of their type: two API models have a `Bucket` that is not the same. */
const components: Readonly<Record<string, Role>> = {
  "objectstorage:BucketClass": "class",
  "objectstorage:BucketAccessClass": "class",
  "objectstorage:Bucket": "static",
  "objectstorage:BucketMirror": "static",
  "objectstorage:BucketClaim": "claim",
  "objectstorage:BucketAccess": "access",
  "cosi20200708:BucketClass": "class",
  "cosi20200708:BucketAccessClass": "class",
  "cosi20200708:Bucket": "static",
  "cosi20200708:BucketRequest": "claim",
  "cosi20200708:BucketAccessRequest": "access",
  "cosi20200227:BucketClass": "class",
  "cosi20200227:Bucket": "claim",
  "objectbucket:StorageClass": "class",
  "objectbucket:ObjectBucketClaim": "claim",
  "deployment:DeploymentClass": "class",
  "deployment:DeploymentAccessClass": "class",
  "deployment:Deployment": "static",
  "deployment:DeploymentRequest": "claim",
  "deployment:DeploymentAccess": "access",
};

const dynamic: Readonly<Record<string, RoleOfType>> = {
  "cosi:Driver": { role: "driver", kind: "Driver" },
  "cosi:Bucket": { role: "bucket", kind: "bucket" },
  "cosi:Deployment": { role: "bucket", kind: "deployment" },
  "cosi:BucketAccess": { role: "access", kind: "account" },
  "cosi:DeploymentAccess": { role: "access", kind: "account" },
  "cosi/kubernetes:Secret": { role: "secret", kind: "Secret" },
  "cosi/kubernetes:ConfigMap": { role: "secret", kind: "ConfigMap" },
  "cosi/cosi20200227:SourceSecret": { role: "secret", kind: "Secret" },
  // It writes the copy that the workloads read.
  "cosi/cosi20200227:BucketBinding": { role: "secret", kind: "Secret" },
};

const pluginPrefix = "cosi:index:";

/** `undefined` for what is internal to something else, and for what is not of this package. */
export function roleOf(type: string): RoleOfType | undefined {
  if (type.startsWith(dynamicPrefix)) return dynamic[type.slice(dynamicPrefix.length)];
  // The plugin has the core resources for other languages.
  if (type.startsWith(pluginPrefix)) return dynamic[`cosi:${type.slice(pluginPrefix.length)}`];
  if (!type.startsWith("cosi:")) return undefined;
  const role = components[type.slice("cosi:".length)];
  const kind = type.split(":").at(-1);
  return role === undefined || kind === undefined ? undefined : { role, kind };
}

/** True for what this package registers, shown or not. */
export function isOfPackage(type: string): boolean {
  return type.startsWith("cosi:") || isOwnDynamicType(type);
}
