import type { ClaimedApi } from "../claimed/claimed-api";
import { finalizers, kindsOf } from "./kinds";

/**
 * The names of the Deployment Interface's API in a group: a request is a claim of it, and a Deployment a Bucket. The status
 * of a Deployment has its id as `deploymentID`; the published `databaseID` is a slip.
 */
export function apiOf(group: string): ClaimedApi {
  const { deployment, deploymentRequest, deploymentAccess } = kindsOf(group);
  return {
    kinds: { claim: deploymentRequest, bucket: deployment, access: deploymentAccess },
    finalizers,
    fields: {
      claim: "deploymentRequest",
      className: "deploymentClassName",
      existing: "existingDeploymentName",
      claimName: "deploymentRequestName",
      ready: "ready",
      bucketId: "deploymentID",
      bucketName: "deploymentName",
    },
    words: { claim: "request", bucket: "deployment" },
  };
}
