import { provider } from "../../deployment/provider";
import { untyped } from "../kind";
import { madeByDriver } from "./made-by-driver";

/** `cosi:index:Deployment`. */
export const deploymentKind = madeByDriver("Deployment", untyped(provider), {
  id: "deploymentId",
  info: "deploymentInfo",
  contract: "deployment.v1alpha1",
});
