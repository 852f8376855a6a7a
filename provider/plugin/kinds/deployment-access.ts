import { provider } from "../../deployment-access/provider";
import { untyped } from "../kind";
import { grantedByDriver, keptFromPlans } from "./granted-by-driver";

/** `cosi:index:DeploymentAccess`. */
export const deploymentAccessKind = grantedByDriver("DeploymentAccess", untyped(provider), {
  target: "deployment",
  targetType: "cosi:Deployment",
  name: "deploymentName",
  id: "deploymentId",
  info: "deploymentInfo",
  contract: "deployment.v1alpha1",
  renamed: keptFromPlans,
  credentials: [],
});
