import { DeploymentWorkflow } from "../../support/deployment/deployment-workflow";
import { describePreviews } from "../../support/previews/golden-previews";
import { WorkflowPlace } from "../../support/previews/workflow-place";

const parts = `
const request = (name: string, more: object = {}, opts: object = {}) =>
  new DeploymentRequest(name, { namespace, deploymentClass: gold, ...more }, opts);
const access = (name: string, more: object = {}) => new DeploymentAccess(name, {
  namespace, deploymentRequest: orders, deploymentAccessClass: keys, credentialsSecretName: name, ...more,
});
const classOf = (name: string, size: string) => new DeploymentClass(name, {
  driver, name: name + "-" + namespace, deletionPolicy: "Delete", parameters: { size },
});
const readers = new DeploymentAccessClass("readers", {
  driver, name: "readers-" + namespace, authenticationType: "Key", parameters: { mode: "readonly" },
});
const orders = request("orders");
const silver = classOf("silver", "large");
const ledger = new Deployment("ledger", {
  deploymentClass: gold, name: "ledger-" + namespace, existingDeploymentId: "ledger",
});
`;

const created = `
const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });
new DeploymentAccess("orders-rw", {
  namespace, deploymentRequest: orders, deploymentAccessClass: keys, credentialsSecretName: "orders-login",
});
`;

const before = `${parts}
request("of-an-edited-class", { deploymentClass: classOf("class-parameters", "small") });
request("retain-to-delete", { deletionPolicy: "Retain" });
request("delete-to-retain", { deletionPolicy: "Delete" });
request("another-class", { protectData: false });
request("new-to-existing", { protectData: false });
request("removed");
request("renamed", { name: "renamed" });
access("access-class", { deploymentAccessClass: readers });
access("rotation");
access("access-removed");
`;

const after = `${parts}
request("of-an-edited-class", { deploymentClass: classOf("class-parameters", "large") });
request("retain-to-delete", { deletionPolicy: "Delete" });
request("delete-to-retain", { deletionPolicy: "Retain" });
request("another-class", { protectData: false, deploymentClass: silver });
request("new-to-existing", { protectData: false, deploymentClass: undefined, existingDeployment: ledger });
request("renamed-now", { name: "renamed" }, { aliases: [{ name: "renamed" }] });
access("access-class");
access("rotation", { rotation: { trigger: "2026-11" } });
`;

describePreviews(
  "deployment",
  async () => new WorkflowPlace(await DeploymentWorkflow.start()),
  ({ flow }) => {
    const head = flow.programHead();
    return { created: head + created, before: head + before, after: head + after };
  },
  ["of-an-edited-class", "orders", "renamed", "renamed-now"],
);
