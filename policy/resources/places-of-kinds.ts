import type { Places } from "./place-types";
import { path, paths } from "./properties";

/** Where objects of a kind say what rules ask for. */
export interface KindPlaces extends Places {
  /** Where a component writes it, a resource of this package says the same, and is asked. */
  readonly repeats?: true;
}

const namespace = path("metadata.namespace");

/**
 * Where objects say what rules ask for, by the kinds of all API models: classes say it at the top, and in `spec` from v1alpha2
 * on; the proposals of COSI call the driver `provisioner`, and the policy `releasePolicy`. Source: the texts of the API models.
 */
export const kindPlaces: Readonly<Partial<Record<string, KindPlaces>>> = {
  BucketClass: {
    deletion: paths("deletionPolicy", "releasePolicy", "spec.deletionPolicy"),
    // COSI proposal of 2020-02-27.
    existing: paths("bucketIdentifier"),
    driver: paths("driverName", "provisioner", "spec.driverName"),
    anonymousMode: paths("anonymousAccessMode"),
    bucketPolicy: paths("parameters.bucketPolicy", "spec.parameters.bucketPolicy"),
  },
  BucketAccessClass: { driver: paths("driverName", "provisioner", "spec.driverName") },
  Bucket: {
    deletion: paths("spec.deletionPolicy", "spec.releasePolicy"),
    existing: paths("spec.existingBucketID"),
    driver: paths("spec.driverName", "spec.provisioner"),
    anonymousMode: paths("spec.anonymousAccessMode"),
    bucketPolicy: paths("spec.parameters.bucketPolicy"),
    // COSI proposal of 2020-02-27, whose Bucket is a claim: the name of its Secret may be left out.
    secret: { namespace, givenBy: paths("spec.secretName", "spec.requestProtocol") },
    repeats: true,
  },
  BucketContent: {
    deletion: paths("spec.releasePolicy"),
    driver: paths("spec.provisioner"),
    bucketPolicy: paths("spec.parameters.bucketPolicy"),
    repeats: true,
  },
  BucketRequest: { secret: { namespace, givenBy: paths("spec.secretName") } },
  // That of 2020-07-08 belongs to no namespace: where its Secret is copied to, the request says.
  BucketAccess: {
    driver: paths("spec.provisioner"),
    secret: { namespace, givenBy: paths("spec.credentialsSecretName", "spec.bucketClaims") },
  },
  BucketAccessRequest: { secret: { namespace, givenBy: paths("spec.accessSecretName") } },
  DeploymentClass: { deletion: paths("deletionPolicy"), driver: paths("driverName") },
  DeploymentAccessClass: { driver: paths("driverName") },
  Deployment: {
    deletion: paths("spec.deletionPolicy"),
    existing: paths("spec.existingDeploymentID"),
    driver: paths("spec.driverName"),
    repeats: true,
  },
  DeploymentAccess: { secret: { namespace, givenBy: paths("spec.credentialsSecretName") } },
  // Its provisioner is no name of a driver; the bucket of a claim names it.
  StorageClass: {
    deletion: paths("reclaimPolicy"),
    // Kubernetes, StorageClass: the API server fills in Delete.
    deletesWithout: path("reclaimPolicy"),
    existing: paths("parameters.bucketName"),
    bucketPolicy: paths("parameters.bucketPolicy"),
  },
  ObjectBucketClaim: { bucketPolicy: paths("spec.additionalConfig.bucketPolicy"), secret: { namespace } },
  ObjectBucket: { deletion: paths("spec.reclaimPolicy"), repeats: true },
};
