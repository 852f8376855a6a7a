import assert from "node:assert/strict";
import { provider as deletionGuard } from "../../../provider/kubernetes/deletion-guard";
import { provider } from "../../../provider/kubernetes/name-guard";
import { deploymentKind } from "../../../provider/kubernetes/object";
import {
  ownerAnnotation,
  resourceAnnotation,
  stackIdAnnotation,
} from "../../../provider/kubernetes/ownership";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Lifecycle, printed } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { asNobody, cluster, newNamespace, stackId, type Cluster } from "./cluster";
import { createOwned, installDefinitions, marks, owner } from "./objects";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const resource = "cosi:objectstorage:BucketClaim::photos";
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
    const writer = { owner, resource };
    inputs = { kubernetes: kube.target, kind: bucketClaimKind, namespace, name: "photos", ...writer };
  });

  const claim = (annotations: Record<string, string>) =>
    createOwned(kube, bucketClaimKind, { namespace: inputs.namespace, name: "photos", spec, annotations });

  it("passes a name that is free, and does nothing when it is deleted", async () => {
    const { id, outputs } = await guard.create(inputs);
    assert.equal(id, `bucketclaim/${inputs.namespace}/photos`);
    await guard.delete(outputs);
  });

  it("says at once that the namespace is missing, once, and goes on", async () => {
    const lines = await printed(async () => {
      await guard.create(inputs);
      await guard.create({ ...inputs, namespace: "nowhere" });
      await guard.create({ ...inputs, namespace: "nowhere", name: "films" });
    });
    assert.deepEqual(lines, [
      "warning: Namespace nowhere: does not exist, and @pulumi/kubernetes waits a minute for it. Next: if this program " +
        "makes it, give the output metadata.name of that Namespace as namespace; else make it, or correct the name",
    ]);
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
    await claim({ ...marks, [resourceAnnotation]: resource });
    await guard.create(inputs);
  });

  it("stops at what a component of another name wrote, and tells the alias that a rename needs", async () => {
    await claim({ ...marks, [resourceAnnotation]: "cosi:objectstorage:BucketClaim::pictures" });
    await assert.rejects(
      guard.create(inputs),
      /if that is "cosi:objectstorage:BucketClaim::photos" now, give it the option aliases: \[\{ name: "pictures" \}\]/,
    );
  });

  it("stops at what a stack of the same name and another state wrote, and tells both ids and the way back", async () => {
    const other = "0b2f4f3c-6f2c-4d0e-9a57-0d2f6f0f7a11";
    await claim({ ...marks, [stackIdAnnotation]: other, [resourceAnnotation]: resource });
    await assert.rejects(
      guard.create(inputs),
      new RegExp(
        `belongs to a stack ${owner} that has another state: its pulumi-cosi/stack-id is ${other}, the one of this ` +
          `stack is ${stackId}; it stays as it is: .*install\\(\\{ stackId: "${other}" \\}\\)$`,
      ),
    );
  });

  it("tells how an id is mended that nobody could give", async () => {
    await claim({ ...marks, [stackIdAnnotation]: "other", [resourceAnnotation]: resource });
    await assert.rejects(
      guard.create(inputs),
      new RegExp(
        `if it is this stack's own: kubectl annotate --overwrite -n ${inputs.namespace} ` +
          `bucketclaims\\.objectstorage\\.k8s\\.io photos pulumi-cosi/stack-id=${stackId}$`,
      ),
    );
  });

  it("stops at what a stack of the same name wrote without an id", async () => {
    await claim({ [ownerAnnotation]: owner, [resourceAnnotation]: resource });
    await assert.rejects(guard.create(inputs), /its pulumi-cosi\/stack-id is absent/);
    const withoutId = { ...inputs, kubernetes: { ...kube.target, stackId: null } };
    await assert.rejects(guard.create(withoutId), /the one of this stack is absent/);
  });

  it("stops at what the component wrote under another parent, and tells the alias that the move needs", async () => {
    const moved = (before: string, now: string) => {
      beginRun();
      return claim({ ...marks, [resourceAnnotation]: before })
        .then(() =>
          assert.rejects(guard.create({ ...inputs, resource: now }), (error: Error) => {
            assert.match(error.message, /belongs to the resource/);
            seen.push(/aliases: \[\{ (.*) \}\]/.exec(error.message)?.[1] ?? "");
            return true;
          }),
        )
        .then(() => kube.client.delete(bucketClaimKind, inputs));
    };
    const seen: string[] = [];
    await moved(resource, `my:App$${resource}`);
    await moved(`my:App$${resource}`, resource);
    await moved(resource, "my:App$cosi:objectstorage:BucketClaim::films");
    assert.deepEqual(seen, [
      "parent: pulumi.rootStackResource",
      "parent: <the parent that it had>",
      'name: "photos", parent: pulumi.rootStackResource',
    ]);
  });

  it("takes what a component wrote under the parent and name that an alias tells, when it looks again", async () => {
    const { outputs } = await guard.create(inputs);
    await claim({ ...marks, [resourceAnnotation]: resource });
    const now = { ...inputs, resource: `my:App$${resource}` };
    const unchanged = { ...now, copied: null, told: null };
    assert.deepEqual(await guard.diff(outputs, unchanged), { changes: false, replaces: [] });
    beginRun();
    await guard.update({ ...outputs, drift: ["seen"] }, now);
  });

  it("gives one name to one component of a program, which the preview tells", async () => {
    const other = { ...inputs, resource: `my:App$${resource}` };
    assert.deepEqual((await guard.check({}, inputs)).failures, []);
    assert.deepEqual((await guard.check({}, inputs)).failures, []);
    const { failures } = await guard.check({}, other);
    assert.match(
      failures.join("\n"),
      /name: BucketClaim .*photos is written by the resource "cosi:.*" of this program, so "my:App\$cosi:.*" cannot/,
    );
    for (const free of [{ name: unknown }, { name: "films" }, { kubernetes: { kubeconfig: "other" } }]) {
      assert.deepEqual((await guard.check({}, { ...other, ...free })).failures, []);
    }
  });

  it("gives one name to one component of a run", async () => {
    await guard.create(inputs);
    await assert.rejects(
      guard.create({ ...inputs, resource: "other" }),
      /photos is written by the resource "cosi:.*::photos" of this program, so "other" cannot write it too/,
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
    const ours = await claim({ ...marks, [resourceAnnotation]: resource });
    const unchanged = await guard.read(outputs);
    assert.deepEqual(await guard.diff(unchanged.outputs, unchanged.inputs), { changes: false, replaces: [] });

    await kube.client.delete(bucketClaimKind, inputs);
    const gone = await guard.read(unchanged.outputs);
    assert.deepEqual(await guard.diff(gone.outputs, gone.inputs), { changes: false, replaces: [] });

    const theirs = await claim({});
    assert.notEqual(theirs.metadata.uid, ours.metadata.uid);
    let seen = gone;
    const lines = await printed(async () => {
      seen = await guard.read(gone.outputs);
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

  describe("whose object has lost its marks", () => {
    const strip = (...keys: string[]) =>
      kube.client.patch(bucketClaimKind, inputs, {
        metadata: { annotations: Object.fromEntries(keys.map((key) => [key, null])) },
      });
    const ours = () => claim({ ...marks, [resourceAnnotation]: resource });

    it("goes on with the one whose UID an earlier refresh has recorded", async () => {
      const { outputs } = await guard.create(inputs);
      const { uid } = (await ours()).metadata;
      const recorded = await guard.read(outputs);
      assert.equal(recorded.outputs["uid"], uid);
      assert.deepEqual(await guard.diff(recorded.outputs, recorded.inputs), { changes: false, replaces: [] });
      for (const keys of [[ownerAnnotation], [ownerAnnotation, stackIdAnnotation, resourceAnnotation]]) {
        await strip(...keys);
        beginRun();
        const seen = await guard.read(recorded.outputs);
        assert.deepEqual(seen.outputs["drift"], []);
        const after = await guard.update({ ...seen.outputs, drift: ["seen"] }, inputs);
        assert.equal(after["uid"], uid);
      }
    });

    it("goes on with the one whose UID another resource of this run has recorded", async () => {
      const { outputs } = await guard.create(inputs);
      const { namespace } = inputs;
      const { uid } = (await ours()).metadata;
      await strip(ownerAnnotation);
      // Before that resource was read nobody knows.
      const early = await printed(() => guard.read(outputs));
      assert.match(
        early.join(),
        /has no pulumi-cosi\/owner, but the pulumi-cosi\/stack-id of this stack; it stays/,
      );
      const entry = {
        kubernetes: kube.target,
        kind: bucketClaimKind,
        object: { namespace, name: "photos", uid },
        owner,
      };
      await new Lifecycle(deletionGuard).read(entry);
      assert.equal((await guard.update({ ...outputs, drift: ["seen"] }, inputs))["uid"], uid);
      assert.deepEqual((await guard.read(outputs)).outputs["drift"], []);
    });

    it("stops at one of its UID that another stack has marked since", async () => {
      const { outputs } = await guard.create(inputs);
      await ours();
      const recorded = await guard.read(outputs);
      const annotations = { [ownerAnnotation]: "organization/shop/successor" };
      await kube.client.patch(bucketClaimKind, inputs, { metadata: { annotations } });
      const seen = await guard.read(recorded.outputs);
      await assert.rejects(
        guard.update(seen.outputs, inputs),
        /belongs to the stack organization\/shop\/successor/,
      );
    });

    it("stops where no UID is recorded, and tells how the mark is given back, not how the claim is replaced", async () => {
      const { outputs } = await guard.create(inputs);
      await ours();
      await strip(ownerAnnotation);
      const seen = await guard.read(outputs);
      await assert.rejects(guard.update(seen.outputs, inputs), (error: Error) => {
        assert.equal(
          error.message,
          `BucketClaim ${inputs.namespace}/photos exists and has no pulumi-cosi/owner, but the pulumi-cosi/stack-id of this ` +
            "stack; it stays as it is: if it belongs to somebody else, choose another name; if it is this stack's own: kubectl annotate " +
            `--overwrite -n ${inputs.namespace} bucketclaims.objectstorage.k8s.io photos pulumi-cosi/owner=${owner}`,
        );
        return true;
      });
      // Without any mark only the state tells that the stack had such an object.
      await strip(stackIdAnnotation, resourceAnnotation);
      await assert.rejects(guard.update(seen.outputs, inputs), (error: Error) => {
        assert.match(
          error.message,
          /: kubectl annotate --overwrite .* pulumi-cosi\/owner=\S+ pulumi-cosi\/stack-id=\S+$/,
        );
        assert.doesNotMatch(error.message, /delete it first/);
        return true;
      });
      await kube.client.patch(bucketClaimKind, inputs, {
        metadata: { annotations: { ...marks, [resourceAnnotation]: resource } },
      });
      await guard.update(seen.outputs, inputs);
    });
  });

  it("is updated when the stack is called otherwise, by which it knows its object", async () => {
    const { outputs } = await guard.create(inputs);
    await claim({ ...marks, [ownerAnnotation]: "organization/shop/renamed", [resourceAnnotation]: resource });
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
        /running-controller runs in this cluster and would act on the same claims .* call objectstorage\.install\(\{ allowController: true \}\) before the first component/,
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
