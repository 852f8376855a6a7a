import assert from "node:assert/strict";
import { secretKind, type KubernetesKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { DeploymentWorkflow, kinds } from "../../support/deployment/deployment-workflow";
import type { Stack } from "../../support/stack";

const requestsAndAccess = `
const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });
new DeploymentAccess("orders-rw", {
  namespace, deploymentRequest: orders, deploymentAccessClass: keys, credentialsSecretName: "orders-login",
});
`;

describe("the life of a deployment and its access, on a real API server without a controller", function () {
  this.timeout(600_000);
  let flow: DeploymentWorkflow;
  let stack: Stack;
  let requestUid: string;
  let accessUid: string;
  /** What the objects and calls are named by, in words. */
  let say: (text: string) => string;

  const first = { parameters: { tier: "1" }, accessParameters: { mode: "rw" } };

  before(async () => {
    flow = await DeploymentWorkflow.start();
    stack = await flow.stack(flow.programHead(first) + requestsAndAccess);
    await stack.up();
    requestUid = (await get(kinds.deploymentRequest, "orders")).metadata.uid ?? "";
    accessUid = (await get(kinds.deploymentAccess, "orders-rw")).metadata.uid ?? "";
    say = (text) => text.replaceAll(requestUid, "<request>").replaceAll(accessUid, "<access>");
  });
  after(() => flow.stop());

  async function get(kind: KubernetesKind, name: string): Promise<KubernetesObject> {
    const found = await flow.cluster.client.get(kind, { namespace: flow.namespace, name });
    assert.ok(found, `there is no ${kind.kind} ${name}`);
    return found;
  }
  const texts = async (): Promise<string[]> => (await flow.timeline.texts()).map((text) => say(text));

  it("writes request, Deployment, access and Secret in their order around Create and Grant [DEP-093]", async () => {
    assert.deepEqual((await texts()).slice(0, made.length), made);
  });

  it("names Deployment and account by the UIDs of request and access, and sends what the classes say [DEP-092]", async () => {
    const { create, grant } = flow.driver.requests();
    assert.equal((await flow.deploymentOf("orders")).metadata.name, `deployment-${requestUid}`);
    assert.deepEqual(
      create.map(({ name, parameters }) => [name, Object.fromEntries(parameters)]),
      [[`deployment-${requestUid}`, first.parameters]],
    );
    assert.deepEqual(
      grant.map(({ name, bucketId, authenticationType, parameters }) => [
        name,
        bucketId,
        authenticationType,
        Object.fromEntries(parameters),
      ]),
      [[`da-${accessUid}`, `deployment-${requestUid}`, 1, first.accessParameters]],
    );
  });

  it("writes the driver's keys as they are to an Opaque Secret that the access owns [DEP-088] [DEP-094]", async () => {
    const secret = await get(secretKind, "orders-login");
    assert.equal(secret["type"], "Opaque");
    const data = Object.entries(secret["data"] as Record<string, string>);
    assert.deepEqual(
      Object.fromEntries(data.map(([key, value]) => [key, Buffer.from(value, "base64").toString()])),
      {
        accessKeyID: "AKEXAMPLE1",
        accessSecretKey: "s3cr3t/of+AKEXAMPLE1",
        endpoint: "http://127.0.0.1:9",
        region: "eu-1",
      },
    );
    assert.deepEqual(secret.metadata.ownerReferences, [
      {
        apiVersion: kinds.apiVersion,
        kind: "DeploymentAccess",
        name: "orders-rw",
        uid: accessUid,
        controller: true,
      },
    ]);
  });

  it("gives a request of the same name in another namespace a deployment of its own [DEP-092]", async () => {
    const other = await DeploymentWorkflow.start();
    try {
      const text = `const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });\n`;
      const second = await other.stack(other.programHead() + text);
      await second.up();
      const [name, otherName] = [flow, other].map(({ driver }) => driver.requests().create[0]?.name);
      assert.notEqual(name, otherName);
      assert.equal((await other.deploymentOf("orders")).metadata.name, otherName);
      await second.destroy();
    } finally {
      await other.stop();
    }
  });

  it("is not touched by an edit of its classes, and has an empty preview then [DEP-092]", async () => {
    await flow.restart();
    const edited = {
      parameters: { tier: "2" },
      accessParameters: { mode: "ro" },
      deletionPolicy: "Retain" as const,
    };
    stack.write(flow.programHead(edited) + requestsAndAccess);
    await stack.up();
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(flow.driver.fake.calls, []);
    assert.deepEqual(await texts(), []);
  });

  it("updates the Secret in place when the account is rotated, and revokes the old one last [DEP-094]", async () => {
    const before = await get(secretKind, "orders-login");
    const rotated = requestsAndAccess.replace(
      `"orders-login",`,
      `"orders-login", rotation: { trigger: "now" },`,
    );
    stack.write(flow.programHead(first) + rotated);
    await stack.up();
    assert.deepEqual(flow.driver.rpcs(), ["grant", "revoke"]);
    const after = await get(secretKind, "orders-login");
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.notDeepEqual(after["data"], before["data"]);
    assert.equal(flow.driver.accounts.size, 1);
  });

  it("makes no call when somebody deletes its objects, says which are Terminating, and writes a Secret again [DEP-093] [DEP-096]", async () => {
    await flow.restart();
    const { client } = flow.cluster;
    const data = (await get(secretKind, "orders-login"))["data"];
    await client.delete(secretKind, { namespace: flow.namespace, name: "orders-login" });
    const refreshed = await stack.succeed(["refresh", "--yes", "--skip-preview"]);
    assert.match(refreshed, /Secret \S*orders-login: is being deleted/);
    await stack.up();
    const again = await get(secretKind, "orders-login");
    assert.deepEqual(again["data"], data);
    assert.equal(again.metadata.deletionTimestamp, undefined);
    await client.delete(kinds.deploymentRequest, { namespace: flow.namespace, name: "orders" });
    assert.match(
      await stack.succeed(["refresh", "--yes", "--skip-preview"]),
      /DeploymentRequest \S*orders: is being deleted/,
    );
    assert.deepEqual(flow.driver.fake.calls, []);
  });

  it("goes in one destroy, in its order around Revoke and Delete, with the contexts of create and grant [DEP-093] [DEP-033]", async () => {
    await flow.restart();
    await stack.destroy();
    const { revoke, delete: deletes } = flow.driver.requests();
    assert.deepEqual(
      deletes.map(({ bucketId, deleteContext }) => [say(bucketId), Object.fromEntries(deleteContext)]),
      [["deployment-<request>", first.parameters]],
    );
    assert.deepEqual(
      revoke.map(({ revokeAccessContext }) => Object.fromEntries(revokeAccessContext)),
      [first.accessParameters],
    );
    assert.deepEqual((await texts()).filter(isMilestone), removed);
    for (const kind of [kinds.deploymentRequest, kinds.deploymentAccess, secretKind]) {
      assert.deepEqual(await flow.cluster.client.list(kind, { namespace: flow.namespace }), []);
    }
    assert.equal(
      await flow.cluster.client.get(kinds.deployment, { name: `deployment-${requestUid}` }),
      undefined,
    );
  });
});

const made = [
  "DeploymentRequest orders added",
  "DeploymentRequest orders +finalizer protection",
  "Deployment deployment-<request> added",
  "Deployment deployment-<request> +finalizer protection",
  'DeploymentRequest orders status {"deploymentName":"deployment-<request>","ready":false}',
  "Deployment deployment-<request> +annotation pulumi-cosi/create-sent",
  "DriverCreateDeployment received",
  "DriverCreateDeployment done",
  'Deployment deployment-<request> status {"deploymentID":"deployment-<request>","ready":true}',
  'DeploymentRequest orders status {"deploymentName":"deployment-<request>","ready":true}',
  "DeploymentAccess orders-rw added",
  "DeploymentAccess orders-rw +finalizer protection",
  "Deployment deployment-<request> +finalizer in-use",
  "DriverGrantDeploymentAccess received",
  "DriverGrantDeploymentAccess done",
  'DeploymentAccess orders-rw status {"accessGranted":false,"accountID":"da-<access>"}',
  "Secret orders-login added",
  "Secret orders-login +finalizer protection",
  'DeploymentAccess orders-rw status {"accessGranted":true,"accountID":"da-<access>"}',
];

const isMilestone = (text: string): boolean => /deleted$|^Driver.* (received|done)$/.test(text);

const removed = [
  "Secret orders-login deleted",
  "DriverRevokeDeploymentAccess received",
  "DriverRevokeDeploymentAccess done",
  "DeploymentAccess orders-rw deleted",
  "DriverDeleteDeployment received",
  "DriverDeleteDeployment done",
  "Deployment deployment-<request> deleted",
  "DeploymentRequest orders deleted",
];
