import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { secretKind } from "../../../provider/kubernetes/object";
import { DeploymentWorkflow, kinds } from "../../support/deployment/deployment-workflow";
import { errors } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";

const login = (request: string): string => `
new DeploymentAccess("login", {
  namespace, deploymentRequest: ${request}, deploymentAccessClass: keys, credentialsSecretName: "login",
});
`;

const existing = (rest = `deploymentRequest: { namespace, name: "ledger" }`): string => `
const theirs = new Deployment("theirs", {
  name: "theirs-" + namespace, deploymentClass: gold, existingDeploymentId: "ledger/1 = x", ${rest}
});
const ledger = new DeploymentRequest("ledger", { namespace, existingDeployment: theirs });
`;

describe("what the backend, or somebody else, has already", function () {
  this.timeout(600_000);
  let flow: DeploymentWorkflow;
  let stack: Stack;

  beforeEach(async () => {
    flow = await DeploymentWorkflow.start();
    stack = await flow.stack(flow.programHead());
  });
  afterEach(() => flow.stop());

  it("is never made and never deleted as a static Deployment, only granted and revoked by its id [DEP-095] [DEP-015] [DEP-031]", async () => {
    stack.write(flow.programHead() + existing() + login("ledger"));
    await stack.up();
    await stack.up();
    const found = await flow.cluster.client.get(kinds.deployment, { name: `theirs-${flow.namespace}` });
    const { deletionPolicy, existingDeploymentID } = found?.["spec"] as Record<string, unknown>;
    assert.deepEqual([deletionPolicy, existingDeploymentID], ["Retain", "ledger/1 = x"]);
    assert.deepEqual(found?.["status"], { ready: true, deploymentID: "ledger/1 = x" });
    await stack.destroy();
    assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke"]);
    const { grant, revoke } = flow.driver.requests();
    assert.deepEqual([grant[0]?.bucketId, revoke[0]?.bucketId], ["ledger/1 = x", "ledger/1 = x"]);
  });

  it("is refused for another request than the one that it names [DEP-095]", async () => {
    stack.write(
      flow.programHead() + existing(`deploymentRequest: { namespace, name: "other" }`) + login("ledger"),
    );
    const said = errors(await stack.fail(["up", "--yes", "--skip-preview"])).join("\n");
    assert.match(
      said,
      /Deployment theirs-\S+ is for DeploymentRequest \S+\/other, so .*ledger cannot take it/,
    );
    assert.deepEqual(flow.driver.rpcs(), []);
    await stack.destroy();
  });

  it("is a preview error with the policy Delete, with and without a cluster [DEP-015] [DEP-095]", async () => {
    stack.write(flow.programHead() + existing(`deletionPolicy: "Delete"`));
    assert.match(await stack.fail(["preview"]), /deletionPolicy is "Delete" beside existingDeploymentId/);
    stack.write(`${flow.programHead()}
new cosi.Deployment("theirs", { driver, existingDeploymentId: "ledger", deletionPolicy: "Delete" });`);
    assert.match(
      await stack.fail(["preview"]),
      /existingDeploymentId is given with deletionPolicy "Delete", but a deployment that exists already is never deleted/,
    );
    assert.deepEqual(flow.driver.fake.calls, []);
  });

  it("stops up before the grant where it is a Secret of that name, which stays as it is [DEP-094]", async () => {
    const { client } = flow.cluster;
    const reference = { namespace: flow.namespace, name: "login" };
    await client.create(secretKind, { metadata: reference, data: { mine: "bWluZQ==" } });
    const before = JSON.stringify(await client.get(secretKind, reference));
    const orders = `const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });\n`;
    stack.write(flow.programHead() + orders + login("orders"));
    const said = errors(await stack.fail(["up", "--yes", "--skip-preview"])).join("\n");
    assert.match(said, /Secret \S+\/login .*(does not belong|was not made|belongs)/);
    assert.deepEqual(flow.driver.rpcs(), ["create"]);
    assert.equal(JSON.stringify(await client.get(secretKind, reference)), before);
    await stack.destroy();
    assert.deepEqual(flow.driver.rpcs(), ["create", "delete"]);
  });

  it("is not deleted while one account of it could not be revoked [DEP-016]", async () => {
    const orders = `const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });\n`;
    const second = login("orders").replaceAll("login", "second");
    stack.write(flow.programHead() + orders + login("orders") + second);
    await stack.up();
    flow.driver.forget();
    flow.driver.refuse("revoke", { code: status.PERMISSION_DENIED, message: "not yours" });
    const said = await stack.fail(["destroy", "--yes", "--skip-preview", "--continue-on-error"]);
    assert.match(said, /DriverRevokeDeploymentAccess: PERMISSION_DENIED: not yours/);
    assert.deepEqual(flow.driver.rpcs(), ["revoke", "revoke"]);
    assert.equal(flow.driver.buckets.size, 1);
    await stack.destroy();
    assert.deepEqual([flow.driver.buckets.size, flow.driver.accounts.size], [0, 0]);
  });

  it("is kept, with every account revoked, where no policy is given [DEP-016]", async () => {
    stack.write(`${flow.programHead()}
const orders = new cosi.Deployment("orders", { driver });
for (const name of ["a", "b", "c"]) new cosi.DeploymentAccess(name, { deployment: orders });`);
    flow.driver.on("received", async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return undefined;
    });
    await stack.up();
    await stack.destroy();
    const [create, ...rest] = flow.driver.rpcs();
    assert.equal(create, "create");
    assert.deepEqual(rest, ["grant", "grant", "grant", "revoke", "revoke", "revoke"]);
    assert.equal(flow.driver.buckets.size, 1);
  });
});
