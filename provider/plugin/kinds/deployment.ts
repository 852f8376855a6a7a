import { inputKeys } from "../../bucket/state";
import { provider } from "../../deployment/provider";
import { untyped } from "../kind";
import { underDeploymentNames } from "./deployment-names";
import { madeByDriver } from "./made-by-driver";

/** `cosi:index:Deployment`. */
export const deploymentKind = madeByDriver("Deployment", untyped(provider), {
  id: "deploymentId",
  info: "deploymentInfo",
  contract: "deployment.v1alpha1",
  ownInputs: underDeploymentNames(inputKeys),
  // The specification's words, which TypeScript takes too.
  otherNames: { deploymentName: "name", deploymentContext: "parameters" },
});
