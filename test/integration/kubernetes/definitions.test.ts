import assert from "node:assert/strict";
import { connectKubernetes, type KubernetesClient } from "../../../provider/kubernetes/client";
import { provider } from "../../../provider/kubernetes/custom-resource-definitions";
import type { CustomResourceDefinition } from "../../../provider/kubernetes/definition";
import { customResourceDefinitionKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { ownerAnnotation } from "../../../provider/kubernetes/ownership";
import { untilGone } from "../../../provider/kubernetes/until-gone";
import { definitions } from "../../../provider/models/objectstorage-v1alpha1/definitions";
import {
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startControlPlane } from "../../../tools/local/control-plane";
import type { ControlPlane } from "../../../tools/local/control-plane-access";
import { validatingBindingKind, validatingPolicyKind } from "../../support/faults/admission-kinds";
import { untilHeeded } from "../../support/faults/heeded";
import { Lifecycle, printed } from "../../support/lifecycle";
import { verdicts } from "./verdicts";

const owner = "organization/shop/test";

describe("the custom resource definitions", function () {
  // The API server takes minutes to remove a definition where it is busy.
  this.timeout(300_000);
  const installed = new Lifecycle(provider);
  let plane: ControlPlane;
  let client: KubernetesClient;
  let inputs: Record<string, unknown>;

  // A server for each test: one takes minutes, now and then, to end a definition that it has just begun to serve.
  beforeEach(async () => {
    plane = await startControlPlane({ controllerManager: false });
    client = await connectKubernetes({ kubeconfig: plane.kubeconfig });
    inputs = { kubernetes: { kubeconfig: plane.kubeconfig }, model: modelName, owner };
  });

  afterEach(async () => {
    await plane.stop();
  });

  const read = (name: string): Promise<KubernetesObject | undefined> =>
    client.get(customResourceDefinitionKind, { name });

  async function remove(name: string): Promise<void> {
    const found = await read(name);
    if (found === undefined) return;
    await client.delete(customResourceDefinitionKind, { name });
    await untilGone(client, customResourceDefinitionKind, { name }, found.metadata.uid);
  }

  function definitionOf(kind: string): CustomResourceDefinition {
    const found = definitions.find(({ spec }) => spec.names.kind === kind);
    assert.ok(found);
    return found;
  }

  /** Creates a definition as somebody else would, with another version or scope. */
  async function createForeign(
    kind: string,
    changes: Partial<CustomResourceDefinition["spec"]>,
  ): Promise<void> {
    const { metadata, spec } = definitionOf(kind);
    await client.create(customResourceDefinitionKind, { metadata, spec: { ...spec, ...changes } });
  }

  it("are installed on an empty server, and stay when the resource is deleted [OS1-002] [OS1-004]", async () => {
    const { outputs } = await installed.create(inputs);
    assert.equal(outputs["clusterUid"], client.clusterUid);
    await installed.delete(outputs);
    for (const { metadata } of definitions) assert.ok(await read(metadata.name), metadata.name);
  });

  it("are refused by the server without the approval", async () => {
    const { metadata, spec } = definitionOf("Bucket");
    await assert.rejects(
      client.create(customResourceDefinitionKind, { metadata: { name: metadata.name }, spec }),
      /protected groups must have approval annotation/,
    );
  });

  it("have the scopes, names and subresources of COSI [OS1-001]", async () => {
    await installed.create(inputs);
    const table = await Promise.all(
      definitions.map(async ({ metadata }) => {
        const { spec } = (await read(metadata.name)) as CustomResourceDefinition;
        const [version] = spec.versions;
        const columns = (version?.additionalPrinterColumns ?? []).map(({ name }) => name).join(",");
        return [
          spec.names.plural,
          spec.names.singular,
          spec.scope,
          version?.subresources !== undefined,
          columns,
        ];
      }),
    );
    assert.deepEqual(table, [
      ["buckets", "bucket", "Cluster", true, "Driver,Policy,Ready,Age"],
      ["bucketclasses", "bucketclass", "Cluster", false, "Driver,Policy,Age"],
      ["bucketclaims", "bucketclaim", "Namespaced", true, "Class,Bucket,Ready,Age"],
      ["bucketaccesses", "bucketaccess", "Namespaced", true, "Claim,Secret,Granted,Age"],
      ["bucketaccessclasses", "bucketaccessclass", "Cluster", false, "Driver,Authentication,Age"],
    ]);
  });

  it("say what those of COSI v0.2.2 say [OS1-003]", async () => {
    await installed.create(inputs);
    for (const { what, kind, fields, rejects } of verdicts) {
      const scope = ["BucketClaim", "BucketAccess"].includes(kind.kind) ? { namespace: "default" } : {};
      const created = client.create(kind, { ...fields, metadata: { name: "x", ...scope } }, { dryRun: true });
      if (rejects === undefined) await assert.doesNotReject(created, what);
      else await assert.rejects(created, rejects, what);
    }
  });

  it("fill in the policy, and refuse a claim's status without bucketReady [OS1-015]", async () => {
    await installed.create(inputs);
    const created = await client.create(bucketClassKind, { metadata: { name: "x" }, driverName: "d" });
    assert.equal(created["deletionPolicy"], "Retain");
    await client.delete(bucketClassKind, { name: "x" });
    const claim = { namespace: "default", name: "x" };
    await client.create(bucketClaimKind, { metadata: claim, spec: { protocols: ["S3"] } });
    await assert.rejects(
      client.patchStatus(bucketClaimKind, claim, { bucketName: "b" }),
      /bucketReady: Required/,
    );
    await client.delete(bucketClaimKind, claim);
  });

  it("that are there are used as they are, and not counted as this stack's [OS1-004]", async () => {
    await createForeign("Bucket", {});
    const before = await read("buckets.objectstorage.k8s.io");
    const { outputs } = await installed.create({ ...inputs, removeCrds: true });
    const after = await read("buckets.objectstorage.k8s.io");
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(after?.["spec"], before?.["spec"]);
    assert.equal((outputs["created"] as string[]).length, 4);
    await installed.delete(outputs);
    assert.ok(await read("buckets.objectstorage.k8s.io"));
    assert.equal(await read("bucketclaims.objectstorage.k8s.io"), undefined);
  });

  it("of another version or scope stop the run before anything is created [OS1-004]", async () => {
    const versions = definitionOf("Bucket").spec.versions.map((version) => ({
      ...version,
      name: "v1alpha2",
    }));
    await createForeign("Bucket", { versions });
    await assert.rejects(
      installed.create(inputs),
      /buckets\.objectstorage\.k8s\.io exists and it serves v1alpha2, but v1alpha1 is needed/,
    );
    assert.equal(await read("bucketclaims.objectstorage.k8s.io"), undefined);
    await remove("buckets.objectstorage.k8s.io");
    await createForeign("Bucket", { scope: "Namespaced" });
    await assert.rejects(installed.create(inputs), /its scope is Namespaced, but Cluster is needed/);
  });

  it("go on request, and not while an object of a kind exists [OS1-004] [CASE-U24]", async () => {
    const { outputs } = await installed.create({ ...inputs, removeCrds: true });
    const spec = { driverName: "d", bucketClassName: "c", bucketClaim: {}, protocols: ["S3"] };
    await client.create(bucketKind, { metadata: { name: "left" }, spec });
    await assert.rejects(
      installed.delete(outputs),
      /removeCrds: true would delete Bucket left with its definition/,
    );
    for (const { metadata } of definitions) assert.ok(await read(metadata.name), metadata.name);
    await client.delete(bucketKind, { name: "left" });
    await installed.delete(outputs);
    for (const { metadata } of definitions) assert.equal(await read(metadata.name), undefined, metadata.name);
  });

  it("stay, with a warning, where somebody has taken the mark off", async () => {
    const { outputs } = await installed.create({ ...inputs, removeCrds: true });
    const name = "buckets.objectstorage.k8s.io";
    await client.patch(
      customResourceDefinitionKind,
      { name },
      { metadata: { annotations: { [ownerAnnotation]: null } } },
    );
    const lines = await printed(() => installed.delete(outputs));
    assert.deepEqual(lines, [
      `warning: CustomResourceDefinition ${name}: is not marked as one of this stack, so it stays`,
    ]);
    assert.ok(await read(name));
    assert.equal(await read("bucketclaims.objectstorage.k8s.io"), undefined);
  });

  it("go on request after the stack was renamed, as an update writes its new name to them and to no others", async () => {
    const { outputs } = await installed.create({ ...inputs, removeCrds: true });
    const foreign = "bucketclasses.objectstorage.k8s.io";
    const ofOther = { metadata: { annotations: { [ownerAnnotation]: "organization/shop/other" } } };
    await client.patch(customResourceDefinitionKind, { name: foreign }, ofOther);
    const renamed = { ...inputs, removeCrds: true, owner: "organization/shop/renamed" };
    assert.equal((await installed.diff(outputs, renamed)).changes, true);
    const updated = await installed.update(outputs, renamed);
    assert.equal((await installed.diff(updated, renamed)).changes, false);
    const marks = await Promise.all(
      definitions.map(async ({ metadata }) => (await read(metadata.name))?.metadata.annotations),
    );
    assert.deepEqual(
      marks.map((annotations) => annotations?.[ownerAnnotation]),
      definitions.map(({ metadata }) =>
        metadata.name === foreign ? "organization/shop/other" : renamed.owner,
      ),
    );
    const lines = await printed(() => installed.delete(updated));
    assert.deepEqual(lines, [
      `warning: CustomResourceDefinition ${foreign}: is not marked as one of this stack, so it stays`,
    ]);
    for (const { metadata } of definitions) {
      assert.equal((await read(metadata.name)) !== undefined, metadata.name === foreign, metadata.name);
    }
  });

  it("are marked again by the next update where the stack was renamed and the first one came to nothing", async () => {
    const { outputs } = await installed.create(inputs);
    const renamed = { ...inputs, owner: "organization/shop/renamed" };
    await installed.update(outputs, renamed);
    const updated = await installed.update(outputs, renamed);
    assert.equal((updated["created"] as string[]).length, 5);
    assert.deepEqual(await printed(() => installed.delete({ ...updated, removeCrds: true })), []);
    assert.equal(await read("buckets.objectstorage.k8s.io"), undefined);
  });

  it("are used under their earlier mark, with a warning, where this stack may not write its new name to them", async () => {
    const { outputs } = await installed.create(inputs);
    const [definition] = definitions;
    assert.ok(definition);
    const { name } = definition.metadata;
    await denyUpdates();
    const annotations = { probe: "1" };
    await untilHeeded("the policy works", async () => {
      const patched = client.patch(customResourceDefinitionKind, { name }, { metadata: { annotations } });
      return patched.then(
        () => false,
        () => true,
      );
    });
    const renamed = { ...inputs, owner: "organization/shop/renamed" };
    const lines = await printed(() => installed.update(outputs, renamed));
    assert.equal(lines.length, definitions.length);
    assert.match(
      lines.join("\n"),
      /keeps its mark of organization\/shop\/test, as this stack was called, since/,
    );
    assert.equal((await read(name))?.metadata.annotations?.[ownerAnnotation], owner);
  });

  async function denyUpdates(): Promise<void> {
    const metadata = { name: "denied" };
    const { apiVersion, plural } = customResourceDefinitionKind;
    const [group = ""] = apiVersion.split("/");
    const rule = { apiGroups: [group], apiVersions: ["*"], resources: [plural], operations: ["UPDATE"] };
    const validations = [{ expression: "false", reason: "Forbidden" }];
    await client.create(validatingPolicyKind, {
      metadata,
      spec: { failurePolicy: "Fail", matchConstraints: { resourceRules: [rule] }, validations },
    });
    await client.create(validatingBindingKind, {
      metadata,
      spec: { policyName: metadata.name, validationActions: ["Deny"] },
    });
  }

  it("of a run that was killed count as this stack's", async () => {
    await installed.create(inputs);
    const { outputs } = await installed.create(inputs);
    assert.equal((outputs["created"] as string[]).length, 5);
  });

  it("have the id of the stack that the program gives, once its state was lost, and keep it without", async () => {
    const { outputs: anew } = await installed.create(inputs);
    assert.match(String(anew["stackId"]), /^[-0-9a-f]{36}$/);
    const given = { ...inputs, givenStackId: "0b2f4f3c-6f2c-4d0e-9a57-0d2f6f0f7a11" };
    assert.equal((await installed.diff(anew, given)).changes, true);
    const told = await installed.update(anew, given);
    assert.equal(told["stackId"], given.givenStackId);
    assert.equal((await installed.diff(told, given)).changes, false);
    const kept = await installed.update(told, inputs);
    assert.equal(kept["stackId"], given.givenStackId);
    const { failures } = await installed.check({}, { ...inputs, givenStackId: "photos" });
    assert.match(
      failures.join(),
      /^stackId is "photos": give the value of the annotation pulumi-cosi\/stack-id/,
    );
  });

  it("show no change after a refresh, and are installed again when somebody removed one", async () => {
    const { outputs } = await installed.create(inputs);
    const { inputs: checked } = await installed.check(inputs, inputs);
    assert.equal((await installed.diff((await installed.read(outputs)).outputs, checked)).changes, false);
    await remove("buckets.objectstorage.k8s.io");
    const seen = await installed.read(outputs);
    assert.deepEqual(seen.outputs["drift"], ["buckets.objectstorage.k8s.io is gone"]);
    assert.equal((await installed.diff(seen.outputs, checked)).changes, true);
    await installed.update(seen.outputs, inputs);
    assert.ok(await read("buckets.objectstorage.k8s.io"));
  });
});
