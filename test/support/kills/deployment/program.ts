import type { ProgramChoice } from "../subject";

/** A request with one access. */
export function programText(
  namespace: string,
  endpoint: string,
  { bucketClass, accessClass, rotation }: ProgramChoice,
): string {
  const classOf = (name: string): string => `
const ${name} = new cosi.deployment.DeploymentClass("${name}", {
  driver, name: "${name}-${namespace}", deletionPolicy: "Delete",
});`;
  const accessClassOf = (name: string): string => `
const ${name} = new cosi.deployment.DeploymentAccessClass("${name}", {
  driver, name: "${name}-${namespace}", authenticationType: "Key",
});`;
  return `
import * as cosi from "pulumi-cosi";
const driver = new cosi.Driver("server", {
  endpoint: ${JSON.stringify(endpoint)}, contract: "deployment.v1alpha1",
  firstRetryDelayMilliseconds: 50, retryBudgetSeconds: 8,
});
${["gold", "silver"].map(classOf).join("")}
${["keys", "spare"].map(accessClassOf).join("")}
export const classes = [gold.className, silver.className, keys.className, spare.className];
const orders = new cosi.deployment.DeploymentRequest("orders", {
  namespace: "${namespace}", deploymentClass: ${bucketClass}, protectData: false,
});
new cosi.deployment.DeploymentAccess("orders-rw", {
  namespace: "${namespace}", deploymentRequest: orders, deploymentAccessClass: ${accessClass},
  credentialsSecretName: "orders-creds", rotation: ${JSON.stringify(rotation && { trigger: rotation })},
});
`;
}
