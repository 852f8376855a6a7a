import assert from "node:assert/strict";
import { provider } from "../../../provider/kubernetes/name-guard";
import { deploymentKind } from "../../../provider/kubernetes/object";
import { ownerAnnotation, resourceAnnotation } from "../../../provider/kubernetes/ownership";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Lifecycle, printed } from "../../support/lifecycle";
import { asNobody, cluster, newNamespace, type Cluster } from "./cluster";
import { createOwned, installDefinitions, owner } from "./objects";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const spec = { bucketClassName: "gold", protocols: ["S3"] };

describe("the look-up of a name", function () {
  this.timeout(120_000);
  const guard = new Lifecycle(provider);
  let kube: Cluster;
  let inputs: { namespace: string; name: string } & Record<string, unknown>;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    const namespace = await newNamespace(kube);
    const writer = { owner, resource: "photos" };
    inputs = { kubernetes: kube.target, kind: bucketClaimKind, namespace, name: "photos", ...writer };
  });

  const claim = (annotations: Record<string, string>) =>
    createOwned(kube, bucketClaimKind, { namespace: inputs.namespace, name: "photos", spec, annotations });

  it("passes a name that is free, and does nothing when it is deleted", async () => {
    const { id, outputs } = await guard.create(inputs);
    assert.equal(id, `bucketclaim/${inputs.namespace}/photos`);
    await guard.delete(outputs);
  });

  it("stops at a claim of somebody else, which stays as it is [OS1-018]", async () => {
    const found = await claim({});
    await assert.rejects(
      guard.create(inputs),
      new RegExp(
        `BucketClaim ${inputs.namespace}/photos exists and was not made by pulumi-cosi; it stays as it is: choose another name`,
      ),
    );
    const after = await kube.client.get(bucketClaimKind, inputs);
    assert.equal(after?.metadata.resourceVersion, found.metadata.resourceVersion);
  });

  it("stops at a claim of another stack, and names the stack", async () => {
    await claim({ [ownerAnnotation]: "organization/shop/production" });
    await assert.rejects(guard.create(inputs), /belongs to the stack organization\/shop\/production/);
  });

  it("passes what this component wrote in a run that was killed", async () => {
    await claim({ [ownerAnnotation]: owner, [resourceAnnotation]: "photos" });
    await guard.create(inputs);
  });

  it("stops at what a component of another name wrote, and tells the alias that a rename needs", async () => {
    await claim({ [ownerAnnotation]: owner, [resourceAnnotation]: "pictures" });
    await assert.rejects(
      guard.create(inputs),
      /if that was renamed to "photos", give the option aliases: \[\{ name: "pictures" \}\]/,
    );
  });

  it("gives one name to one component of a run", async () => {
    await guard.create(inputs);
    await assert.rejects(
      guard.create({ ...inputs, resource: "other" }),
      /photos is written by another resource of this program; choose another name/,
    );
  });

  it("judges the form of the names in the preview, and nothing that is not known", async () => {
    const { failures } = await guard.check({}, { ...inputs, namespace: "Shop", name: "photos_rw" });
    assert.equal(failures.length, 2);
    assert.match(failures.join("\n"), /namespace is "Shop".*\n.*name is "photos_rw"/);
    assert.deepEqual((await guard.check({}, { ...inputs, namespace: unknown, name: unknown })).failures, []);
  });

  it("is replaced for another name, and changes for nothing else", async () => {
    const { outputs } = await guard.create(inputs);
    const diff = (changes: object) =>
      guard.diff(outputs, { ...inputs, copied: null, told: null, ...changes });
    assert.deepEqual(await diff({ name: "films" }), { changes: true, replaces: ["name"] });
    assert.deepEqual(await diff({ name: unknown }), { changes: true, replaces: ["name"] });
    assert.deepEqual(await diff({ warnings: ["new"], conflictingDeployment: "x" }), {
      changes: false,
      replaces: [],
    });
  });

  it("sees at a refresh what somebody made in the place of ours, and has the next up stop at it", async () => {
    const { outputs } = await guard.create(inputs);
    const ours = await claim({ [ownerAnnotation]: owner, [resourceAnnotation]: "photos" });
    const unchanged = await guard.read(outputs);
    assert.deepEqual(await guard.diff(unchanged.outputs, unchanged.inputs), { changes: false, replaces: [] });

    await kube.client.delete(bucketClaimKind, inputs);
    const gone = await guard.read(outputs);
    assert.deepEqual(await guard.diff(gone.outputs, gone.inputs), { changes: false, replaces: [] });

    const theirs = await claim({});
    assert.notEqual(theirs.metadata.uid, ours.metadata.uid);
    let seen = gone;
    const lines = await printed(async () => {
      seen = await guard.read(outputs);
    });
    assert.deepEqual(lines, [
      `warning: BucketClaim ${inputs.namespace}/photos: the object of this name was not made by pulumi-cosi; it stays, and the next up stops`,
    ]);
    assert.deepEqual(await guard.diff(seen.outputs, seen.inputs), { changes: true, replaces: [] });
    await assert.rejects(
      guard.update(seen.outputs, inputs),
      /photos exists and was not made by pulumi-cosi; it stays as it is: choose another name, or delete it first/,
    );
    assert.deepEqual(await kube.client.get(bucketClaimKind, inputs), theirs);

    await kube.client.delete(bucketClaimKind, inputs);
    const free = await guard.update(seen.outputs, inputs);
    assert.deepEqual(free["drift"], []);
  });

  it("is updated when the stack is called otherwise, by which it knows its object", async () => {
    const { outputs } = await guard.create(inputs);
    await claim({ [ownerAnnotation]: "organization/shop/renamed", [resourceAnnotation]: "photos" });
    const renamed = { ...inputs, owner: "organization/shop/renamed", copied: null, told: null };
    assert.deepEqual(await guard.diff(outputs, renamed), { changes: true, replaces: [] });
    const after = await guard.read(await guard.update(outputs, renamed));
    assert.deepEqual(after.outputs["drift"], []);
  });

  it("keeps a copy while its key stays, and what a preview does not know", async () => {
    const copied = { key: "gold", value: { tier: "hot" } };
    const olds = { ...inputs, copied, told: { driverName: "a" } };
    const checked = (changes: object) => guard.check(olds, { ...olds, ...changes });
    const edited = await checked({ copied: { key: "gold", value: { tier: "cold" } } });
    assert.deepEqual(edited.inputs["copied"], copied);
    const other = { key: "silver", value: { tier: "cold" } };
    assert.deepEqual((await checked({ copied: other })).inputs["copied"], other);
    assert.deepEqual((await checked({ told: { driverName: unknown } })).inputs["told"], { driverName: "a" });
    assert.deepEqual((await checked({ told: { driverName: "b" } })).inputs["told"], { driverName: "b" });
  });

  describe("beside a controller that would act on the same claims", () => {
    // Each test has its own name, as the look-up is made once per run.
    const deployment = async (name: string, availableReplicas: number) => {
      const { namespace } = inputs;
      const labels = { app: name };
      const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
      const deploymentSpec = { selector: { matchLabels: labels }, template };
      await kube.client.create(deploymentKind, { metadata: { namespace, name }, spec: deploymentSpec });
      const status = { replicas: 1, readyReplicas: availableReplicas, availableReplicas };
      await kube.client.patchStatus(deploymentKind, { namespace, name }, status);
    };

    it("stops before anything is written [OS1-006]", async () => {
      await deployment("running-controller", 1);
      await assert.rejects(
        guard.create({ ...inputs, conflictingDeployment: "running-controller" }),
        /running-controller runs in this cluster and would act on the same claims .* allowController: true/,
      );
      await guard.create(inputs);
    });

    it("goes on if it is stopped, or if Deployments may not be listed", async () => {
      await deployment("stopped-controller", 0);
      await guard.create({ ...inputs, conflictingDeployment: "stopped-controller" });
      const kubernetes = { kubeconfig: asNobody(kube) };
      const other = { ...inputs, name: "other", kubernetes, conflictingDeployment: "stopped-controller" };
      // The list is refused, which is no reason to stop; the look-up of the name is.
      await assert.rejects(guard.create(other), /get BucketClaim .*: 403 Forbidden/);
    });
  });
});
