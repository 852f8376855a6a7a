import assert from "node:assert/strict";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { provider } from "../../../provider/models/deployment/request-binding";
import { failedResource, Lifecycle, wire } from "../../support/lifecycle";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { installDeploymentKinds, kinds, modelName, requestIn } from "./deployment-objects";
import { createOwned, finalizersOf, owner, statusOf } from "./objects";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const protection = "deployment.pulumi-cosi/protection";
const small = {
  name: "small",
  driverName: "cosi.example.com",
  deletionPolicy: "Delete",
  parameters: { size: "s" },
};

describe("the binding of a request to its Deployment", function () {
  this.timeout(120_000);
  const binding = new Lifecycle(provider);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDeploymentKinds(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  type Request = Awaited<ReturnType<typeof requestIn>>;

  async function inputsFor(given?: Request) {
    return {
      kubernetes: kube.target,
      model: modelName,
      owner,
      resource: "orders",
      request: given ?? (await requestIn(kube, namespace)),
      deploymentClass: small,
      deploymentFields: { deletionPolicy: "Delete" },
    };
  }

  it("writes the Deployment with every field that it has, and tells its UID [DEP-091]", async () => {
    const inputs = await inputsFor();
    const { id, outputs } = await binding.create(inputs);
    const found = await kube.client.get(kinds.deployment, { name: id });
    assert.deepEqual(found?.["spec"], {
      driverName: "cosi.example.com",
      deploymentClassName: "small",
      deploymentRequest: inputs.request,
      parameters: { size: "s" },
      deletionPolicy: "Delete",
    });
    assert.equal(outputs["deploymentUid"], found.metadata.uid);
  });

  it("names the Deployment after the request's UID, whatever its name, and protects the request [DEP-092]", async () => {
    const other = await newNamespace(kube);
    const requests = [await requestIn(kube, namespace), await requestIn(kube, other)];
    const names = [];
    for (const request of requests) {
      const { id, outputs } = await binding.create(await inputsFor(request));
      assert.equal(outputs["deploymentName"], id);
      names.push(id);
      assert.deepEqual(await finalizersOf(kube, kinds.deploymentRequest, request), [protection]);
    }
    assert.deepEqual(
      names,
      requests.map(({ uid }) => `deployment-${uid}`),
    );
    assert.notEqual(names[0], names[1]);
  });

  it("keeps what the request took from its class while the class name stays [DEP-092]", async () => {
    const olds = await inputsFor();
    const edited = { ...small, deletionPolicy: "Retain", parameters: { size: "l" } };
    const { inputs } = await binding.check(olds, { ...olds, deploymentClass: edited });
    assert.deepEqual(inputs["deploymentClass"], small);
    const { outputs } = await binding.create(olds);
    assert.equal((await binding.diff(outputs, inputs)).changes, false);
    const moved = await binding.check(olds, { ...olds, deploymentClass: { ...edited, name: "large" } });
    assert.deepEqual((await binding.diff(outputs, moved.inputs)).replaces, ["deploymentClass"]);
  });

  it("is replaced with its request, known or not, and names it so [DEP-096]", async () => {
    const inputs = await inputsFor();
    const { outputs } = await binding.create(inputs);
    const replaces = async (uid: string | undefined) => {
      const news = { ...inputs, request: { ...inputs.request, uid } };
      return (await binding.diff(outputs, (await binding.check(inputs, news)).inputs)).replaces;
    };
    assert.deepEqual(await replaces("another"), ["request"]);
    assert.deepEqual(await replaces(unknown), ["request"]);
    assert.deepEqual(await replaces(undefined), []);
  });

  it("stops at a Deployment, and at a request, that somebody else made, and leaves them alone [DEP-093]", async () => {
    const inputs = await inputsFor();
    const name = `deployment-${inputs.request.uid}`;
    const foreign = await createOwned(kube, kinds.deployment, {
      name,
      spec: { driverName: "d" },
      annotations: {},
    });
    await assert.rejects(
      binding.create(inputs),
      new RegExp(`Deployment ${name} exists and was not made by pulumi-cosi`),
    );
    const found = await kube.client.get(kinds.deployment, { name });
    assert.equal(found?.metadata.resourceVersion, foreign.metadata.resourceVersion);
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentRequest, inputs.request), []);
    const nobodys = await inputsFor(await requestIn(kube, namespace, "nobodys", {}));
    await assert.rejects(
      binding.create(nobodys),
      /DeploymentRequest .*nobodys exists and was not made by pulumi-cosi/,
    );
  });

  it("lets go of a request whose deletion the finalizer of a run that was killed holds up [DEP-093]", async () => {
    const inputs = await inputsFor();
    await binding.create(inputs);
    await kube.client.delete(kinds.deploymentRequest, inputs.request);
    const failed = await failedResource(binding.create(inputs));
    assert.match(
      failed.message,
      /is being deleted since .*deployment\.pulumi-cosi\/protection.*`pulumi destroy`/,
    );
    assert.deepEqual(Object.keys(failed.properties).includes("deploymentName"), true);
    await binding.delete(wire(failed.properties));
    assert.equal(await kube.client.get(kinds.deploymentRequest, inputs.request), undefined);
  });

  it("sees in a refresh that the finalizer is gone, and restores it [DEP-096]", async () => {
    const inputs = await inputsFor();
    const { outputs } = await binding.create(inputs);
    assert.equal((await binding.diff((await binding.read(outputs)).outputs, inputs)).changes, false);
    await removeFinalizers(kube.client, kinds.deploymentRequest, inputs.request, undefined, [protection]);
    const seen = await binding.read(outputs);
    assert.deepEqual(seen.outputs["drift"], [`DeploymentRequest's finalizer ${protection} is missing`]);
    assert.equal((await binding.diff(seen.outputs, inputs)).changes, true);
    await binding.update(seen.outputs, inputs);
    assert.deepEqual(await finalizersOf(kube, kinds.deploymentRequest, inputs.request), [protection]);
  });

  describe("that is static", () => {
    async function existing(deploymentRequest?: object) {
      const name = `ledger-${namespace}`;
      await createOwned(kube, kinds.deployment, {
        name,
        spec: {
          driverName: "d",
          existingDeploymentID: "ledger",
          ...(deploymentRequest === undefined ? {} : { deploymentRequest }),
        },
      });
      await kube.client.patchStatus(kinds.deployment, { name }, { ready: true, deploymentID: "ledger" });
      return name;
    }

    const inputsOf = async (existingDeploymentName: string, request?: Request) => {
      const inputs = await inputsFor(request);
      return { ...inputs, deploymentClass: null, existingDeploymentName };
    };

    it("says that the request is ready, under the Deployment that it names [DEP-095]", async () => {
      const name = await existing({ namespace, name: "orders" });
      const inputs = await inputsOf(name);
      assert.equal((await binding.create(inputs)).id, name);
      assert.deepEqual(await statusOf(kube, kinds.deploymentRequest, inputs.request), {
        deploymentName: name,
        ready: true,
      });
    });

    it("refuses a Deployment that is for another request, which stays as it is [DEP-095]", async () => {
      const name = await existing({ namespace, name: "orders", uid: "another" });
      const before = await kube.client.get(kinds.deployment, { name });
      await assert.rejects(
        binding.create(await inputsOf(name)),
        new RegExp(
          `Deployment ${name} is for DeploymentRequest ${namespace}/orders \\(UID another\\), so DeploymentRequest ` +
            `${namespace}/orders cannot take it; it stays as it is: use that request, or another Deployment`,
        ),
      );
      const after = await kube.client.get(kinds.deployment, { name });
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
    });

    it("gives a Deployment that names no request to the first that comes, until that goes [DEP-095]", async () => {
      const name = await existing();
      const { outputs } = await binding.create(await inputsOf(name));
      const second = await inputsOf(name, await requestIn(kube, namespace, "second"));
      await assert.rejects(binding.create(second), /is for DeploymentRequest .*\/orders\//);
      await binding.delete(outputs);
      await binding.create(second);
    });

    it("waits for no Deployment that is not there, and names the field", async () => {
      await assert.rejects(
        binding.create(await inputsOf("absent")),
        /Deployment absent does not exist, but DeploymentRequest .*\/orders names it as existingDeploymentName/,
      );
    });
  });
});
