import { inputKeys } from "../../bucket-access/inputs";
import { provider } from "../../deployment-access/provider";
import { untyped } from "../kind";
import { grantedByDriver } from "./granted-by-driver";
import { underDeploymentNames } from "./deployment-names";

/** `cosi:index:DeploymentAccess`. */
export const deploymentAccessKind = grantedByDriver("DeploymentAccess", untyped(provider), {
  target: "deployment",
  targetType: "cosi:Deployment",
  name: "deploymentName",
  id: "deploymentId",
  info: "deploymentInfo",
  contract: "deployment.v1alpha1",
  otherwise: {},
  ownInputs: underDeploymentNames(inputKeys),
  credentials: [],
});
