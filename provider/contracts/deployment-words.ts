import type { ContractWords } from "./contract";

/** Names of the package's inputs and outputs, as the resources of deployments have them. */
export const deploymentProperties = {
  bucketName: "deploymentName",
  bucketId: "deploymentId",
  bucketInfo: "deploymentInfo",
  existingBucketId: "existingDeploymentId",
  bucketClassName: "deploymentClassName",
  bucketAccessClassName: "deploymentAccessClassName",
} as const;

/**
 * What the Deployment Interface calls things.
 *
 * @param noun The noun in the names of its RPCs: `Deployment`.
 */
export const deploymentWords = (noun: string): ContractWords => ({
  object: "deployment",
  content: "what is in it",
  objectId: "deployment_id",
  resource: "cosi.Deployment",
  create: `DriverCreate${noun}`,
  grant: `DriverGrant${noun}Access`,
  properties: deploymentProperties,
});
