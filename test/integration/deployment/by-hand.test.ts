import assert from "node:assert/strict";
import { secretKind, type KubernetesKind, type ObjectReference } from "../../../provider/kubernetes/object";
import { DeploymentWorkflow, kinds } from "../../support/deployment/deployment-workflow";
import { diagnostics } from "../../support/end-to-end/output";
import type { Stack } from "../../support/stack";

const refresh = ["refresh", "--yes", "--skip-preview", "--diff"];

const program = `
const orders = new DeploymentRequest("orders", { namespace, deploymentClass: gold });
new DeploymentAccess("orders-rw", {
  namespace, deploymentRequest: orders, deploymentAccessClass: keys, credentialsSecretName: "orders-login",
  secretLabels: { app: "shop" },
});
`;

describe("what is done to the objects of a deployment by hand", function () {
  this.timeout(600_000);
  let flow: DeploymentWorkflow;
  let stack: Stack;
  let deployment: ObjectReference;
  /** All objects of the program, by what they are called below. */
  let objects: Readonly<
    Record<"request" | "deployment" | "access" | "secret", readonly [KubernetesKind, ObjectReference]>
  >;

  before(async () => {
    flow = await DeploymentWorkflow.start();
    stack = await flow.stack(flow.programHead({ parameters: { tier: "1" } }) + program);
    await stack.up();
    const { namespace } = flow;
    deployment = { name: (await flow.deploymentOf("orders")).metadata.name };
    objects = {
      request: [kinds.deploymentRequest, { namespace, name: "orders" }],
      deployment: [kinds.deployment, deployment],
      access: [kinds.deploymentAccess, { namespace, name: "orders-rw" }],
      secret: [secretKind, { namespace, name: "orders-login" }],
    };
    flow.driver.forget();
  });
  after(() => flow.stop());

  /** What a reader sees of all objects, and whether they are the same ones. */
  async function contents(): Promise<unknown[]> {
    return Promise.all(
      Object.values(objects).map(async ([kind, reference]) => {
        const found = await flow.cluster.client.get(kind, reference);
        const { uid, finalizers = [], labels = {} } = found?.metadata ?? {};
        return {
          uid,
          finalizers,
          labels,
          spec: found?.["spec"],
          status: found?.["status"],
          data: found?.["data"],
        };
      }),
    );
  }

  it("is shown by a refresh and taken back by the up after it, without a call [DEP-096]", async () => {
    const { client } = flow.cluster;
    const original = await contents();
    const none = { metadata: { finalizers: null } };
    await client.patch(...objects.request, { spec: { deploymentClassName: "other" }, ...none });
    await client.patchStatus(...objects.request, { ready: false, deploymentName: "elsewhere" });
    await client.patch(...objects.deployment, { spec: { parameters: { tier: "9" } }, ...none });
    await client.patchStatus(...objects.deployment, { ready: false, deploymentID: "elsewhere" });
    await client.patch(...objects.access, { spec: { credentialsSecretName: "elsewhere" }, ...none });
    await client.patchStatus(...objects.access, { accessGranted: false, accountID: "somebody" });
    await client.patch(...objects.secret, {
      data: { accessKeyID: "e30=", more: "bW9yZQ==" },
      metadata: { finalizers: null, labels: { app: "other" } },
    });

    const seen = await stack.succeed(refresh);
    for (const text of [
      /DeploymentRequest's finalizer deployment\.pulumi-cosi\/protection is missing/,
      /Deployment's status\.deploymentID is \\?"elsewhere\\?"/,
      /DeploymentAccess's status\.accountID is \\?"somebody\\?"/,
      /data key accessKeyID was changed/,
      /label app is other/,
      /=> "other"/,
      /=> "elsewhere"/,
    ]) {
      assert.match(seen, text);
    }
    await stack.up();
    assert.deepEqual(await contents(), original);
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(flow.driver.fake.calls, []);
  });

  it("brings a Deployment and a Secret back that are gone, without a call [DEP-096]", async () => {
    const { client } = flow.cluster;
    const [, , , secret] = (await contents()) as { data: unknown }[];
    for (const [kind, reference] of [objects.deployment, objects.secret]) {
      await client.patch(kind, reference, { metadata: { finalizers: null } });
      await client.delete(kind, reference);
    }
    await stack.succeed(refresh);
    await stack.up();
    const [request, made, access, again] = (await contents()) as {
      status: Record<string, unknown>;
      data: unknown;
    }[];
    assert.deepEqual(request?.status, { deploymentName: deployment.name, ready: true });
    assert.deepEqual(made?.status, { deploymentID: deployment.name, ready: true });
    assert.equal(access?.status["accessGranted"], true);
    assert.deepEqual(again?.data, secret?.data);
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(flow.driver.fake.calls, []);
  });

  it("revokes the recorded account in a destroy, though its Secret is gone [DEP-017]", async () => {
    const { client } = flow.cluster;
    const [kind, reference] = objects.secret;
    const { accountID } = (await client.get(...objects.access))?.["status"] as { accountID: string };
    await client.patch(kind, reference, { metadata: { finalizers: null } });
    await client.delete(kind, reference);
    await stack.succeed(["destroy", "--yes", "--skip-preview"]);
    const { revoke } = flow.driver.requests();
    assert.deepEqual(
      revoke.map(({ bucketId, accountId }) => [bucketId, accountId]),
      [[deployment.name, accountID]],
    );
    assert.equal(flow.driver.accounts.size, 0);
  });

  it("replaces what belongs to a request that is gone, and refuses that where data would go [DEP-096]", async () => {
    const { client } = flow.cluster;
    await stack.up();
    flow.driver.forget();
    await client.patch(...objects.request, { metadata: { finalizers: null } });
    await client.delete(...objects.request);
    await stack.succeed(refresh);
    const refused = await stack.fail(["preview"]);
    assert.match(diagnostics(refused), /deletionPolicy Delete would delete its data.*protectData/s);
    assert.deepEqual(flow.driver.fake.calls, []);

    const given = program.replace("deploymentClass: gold", "deploymentClass: gold, protectData: false");
    stack.write(flow.programHead({ parameters: { tier: "1" } }) + given);
    const steps = await stack.plannedSteps();
    const replaced = steps.filter(({ op }) => op === "replace").map(({ urn }) => urn.split("::").at(-1));
    assert.ok(replaced.includes("orders") && replaced.includes("orders-rw"), replaced.join());
    await stack.up();
    assert.deepEqual(flow.driver.rpcs(), ["revoke", "delete", "create", "grant"]);
    assert.notEqual((await flow.deploymentOf("orders")).metadata.name, deployment.name);
    assert.equal(
      await client.get(...objects.deployment),
      undefined,
      "what was made for the first request is gone",
    );
    await stack.destroy();
  });
});
