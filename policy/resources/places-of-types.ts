import type { Places } from "./place-types";
import { path, paths } from "./properties";
import { resourceTypes } from "./types";

/** Where the resources of this package say what rules ask for, by their types. */
export const typePlaces: ReadonlyMap<string, Places> = new Map([
  ...each(resourceTypes.driver, { driver: paths("driverName") }),
  ...each(resourceTypes.bucket, {
    deletion: paths("deletionPolicy"),
    existing: paths("existingBucketId"),
    driver: paths("driver.driverName"),
    anonymousMode: paths("anonymousAccess"),
    bucketPolicy: paths("parameters.bucketPolicy"),
  }),
  // The class fills in the driver; in another language it stands in the reference of what the access is to.
  ...each(resourceTypes.bucketAccess, {
    driver: paths("driver.driverName"),
    driverOfTarget: path("bucket.driver.driverName"),
  }),
  ...each(resourceTypes.deployment, {
    deletion: paths("deletionPolicy"),
    existing: paths("existingDeploymentId"),
    driver: paths("driver.driverName"),
  }),
  ...each(resourceTypes.deploymentAccess, {
    driver: paths("driver.driverName"),
    driverOfTarget: path("deployment.driver.driverName"),
  }),
  ...each(resourceTypes.secret, { secret: { namespace: path("namespace") } }),
  ...each(resourceTypes.objectBucketClaim, {
    bucketPolicy: paths("additionalConfig.bucketPolicy"),
    secret: { namespace: path("namespace") },
  }),
  ...each(resourceTypes.adminBucket, {
    driver: paths("provisioner"),
    anonymousMode: paths("anonymousAccessMode"),
    bucketPolicy: paths("parameters.bucketPolicy"),
  }),
  ...each(resourceTypes.bucketBinding, { secret: { namespace: path("bucket.namespace") } }),
  ...each(resourceTypes.sourceSecret, { secret: { namespace: path("namespace") } }),
]);

function each(types: readonly string[], places: Places): [type: string, places: Places][] {
  return types.map((type) => [type, places]);
}
