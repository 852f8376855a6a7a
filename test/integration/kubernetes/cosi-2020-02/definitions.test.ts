import assert from "node:assert/strict";
import { connectKubernetes, type KubernetesClient } from "../../../../provider/kubernetes/client";
import { provider } from "../../../../provider/kubernetes/custom-resource-definitions";
import type { CustomResourceDefinition } from "../../../../provider/kubernetes/definition";
import { customResourceDefinitionKind } from "../../../../provider/kubernetes/object";
import { definitionsFor } from "../../../../provider/models/cosi-2020-02/definitions";
import { kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-02/kinds";
import { protocolBlocks, protocolFields } from "../../../../provider/models/cosi-2020-02/specs";
import { definitionsFor as julyFor } from "../../../../provider/models/cosi-2020-07/definitions";
import * as july from "../../../../provider/models/cosi-2020-07/kinds";
import { startControlPlane } from "../../../../tools/local/control-plane";
import type { ControlPlane } from "../../../../tools/local/control-plane-access";
import { Lifecycle } from "../../../support/lifecycle";
import { bucketSpec as julySpec } from "../cosi-2020-07/july";
import { owner } from "../objects";
import { brownfield, bucketSpec, contentSpec, greenfield, kinds, provisioner } from "./written-by-hand";
import { verdicts } from "./verdicts";

describe("the definitions of the proposal of 2020-02-27", function () {
  this.timeout(180_000);
  const installed = new Lifecycle(provider);
  let plane: ControlPlane;
  let client: KubernetesClient;

  // A server of its own, as definitions are deleted; beside those of the proposal's group, each test has a group of its own.
  before(async () => {
    plane = await startControlPlane({ controllerManager: false });
    client = await connectKubernetes({ kubeconfig: plane.kubeconfig });
    await installed.create(inputsOf(modelNameOf("cosi.io")));
  });

  after(async () => {
    await plane.stop();
  });

  const inputsOf = (model: string) => ({ kubernetes: { kubeconfig: plane.kubeconfig }, model, owner });

  const read = (name: string) => client.get(customResourceDefinitionKind, { name });

  it("have its group, scopes, plurals and subresources, and columns for kubectl [K02-013]", async () => {
    const table = await Promise.all(
      definitionsFor("cosi.io").map(async ({ metadata }) => {
        const { spec } = (await read(metadata.name)) as CustomResourceDefinition;
        const [version] = spec.versions;
        const columns = (version?.additionalPrinterColumns ?? []).map(({ name }) => name).join(",");
        const status = version?.subresources?.status !== undefined;
        return [spec.group, version?.name, spec.names.plural, spec.scope, status, columns];
      }),
    );
    assert.deepEqual(table, [
      ["cosi.io", "v1alpha1", "buckets", "Namespaced", true, "Protocol,Class,Content,Secret,Phase,Age"],
      [
        "cosi.io",
        "v1alpha1",
        "bucketcontents",
        "Cluster",
        true,
        "Provisioner,Protocol,Policy,Namespace,Bucket,Phase,Age",
      ],
      ["cosi.io", "v1alpha1", "bucketclasses", "Cluster", false, "Provisioner,Protocols,Access,Policy,Age"],
    ]);
  });

  it("accept and reject what the proposal does, for objects of kubectl too [K02-050] [K02-051] [K02-054] [K02-057] [K02-063] [K02-114]", async () => {
    for (const { what, kind, fields, rejects } of verdicts) {
      const scope = kind === kinds.bucket ? { namespace: "default" } : {};
      const created = client.create(kind, { ...fields, metadata: { name: "x", ...scope } }, { dryRun: true });
      if (rejects === undefined) await assert.doesNotReject(created, what);
      else await assert.rejects(created, rejects, what);
    }
  });

  it("fill in rw and Retain, and nothing else [K02-052] [K02-053] [K02-113]", async () => {
    const create = (kind: (typeof kinds)["bucket"], namespace: string | undefined, fields: object) =>
      client.create(
        kind,
        { metadata: { name: "plain", ...(namespace === undefined ? {} : { namespace }) }, ...fields },
        { dryRun: true },
      );
    const { accessMode, releasePolicy, ...rest } = await create(kinds.bucketClass, undefined, greenfield);
    assert.deepEqual([accessMode, releasePolicy], ["rw", "Retain"]);
    assert.deepEqual(Object.keys(rest).sort(), [
      "apiVersion",
      "kind",
      "metadata",
      "provisioner",
      "supportedProtocols",
    ]);
    const content = await create(kinds.bucketContent, undefined, { spec: contentSpec });
    assert.deepEqual(content["spec"], { ...contentSpec, accessMode: "rw", releasePolicy: "Retain" });
    const bucket = await create(kinds.bucket, "default", { spec: bucketSpec });
    assert.deepEqual(bucket["spec"], bucketSpec);
  });

  it("keep every field of a BucketContent, and drop others [K02-040] [K02-041] [K02-042]", async () => {
    const values: Record<string, string> = { signatureVersion: "V4" };
    const blocks = Object.entries(protocolBlocks).map(([protocol, block]) => {
      const fields = Object.entries(protocolFields).find(([name]) => name === protocol)?.[1] ?? [];
      return [block, Object.fromEntries(fields.map((field) => [field, values[field] ?? field]))] as const;
    });
    const spec = {
      ...contentSpec,
      provisioner,
      releasePolicy: "Delete",
      accessMode: "wo",
      bucketRef: { name: "photos", namespace: "shop", uuid: "u", resourceVersion: "7" },
      secretRef: { name: "gold-u", namespace: "cosi-system" },
      ...Object.fromEntries(blocks),
      parameters: { tier: "hot" },
    };
    const coloured = Object.fromEntries(
      blocks.map(([block, fields]) => [block, { ...fields, colour: "red" }]),
    );
    const created = await client.create(
      kinds.bucketContent,
      { metadata: { name: "full" }, spec: { ...spec, ...coloured, size: "9" } },
      { dryRun: true },
    );
    assert.deepEqual(created["spec"], spec);
    assert.equal(Object.keys(spec.parameters).length, 1);
  });

  it("know no bucketContentRef [K02-055]", async () => {
    const created = await client.create(
      kinds.bucketClass,
      { metadata: { name: "old" }, ...brownfield, bucketContentRef: { name: "archive" } },
      { dryRun: true },
    );
    assert.equal(created["bucketContentRef"], undefined);
    assert.deepEqual(created["bucketIdentifier"], brownfield.bucketIdentifier);
  });

  it("have status as a resource of its own, and none of it on a class [K02-013] [K02-045] [K02-047] [K02-048]", async () => {
    const conditions = [{ type: "Deleting", status: "True" }];
    const cases = [
      [
        kinds.bucket,
        { name: "x", namespace: "default" },
        bucketSpec,
        ["Pending", "Bound"],
        { bucketContentName: "c" },
      ],
      [
        kinds.bucketContent,
        { name: "x" },
        contentSpec,
        ["Ready", "Retrying", "Failed", "Bound", "Released"],
        { message: "why" },
      ],
    ] as const;
    for (const [kind, reference, spec, phases, more] of cases) {
      const created = await client.create(kind, { metadata: reference, spec, status: { phase: "Bound" } });
      assert.equal(created["status"], undefined, kind.kind);
      for (const phase of phases) {
        const status = { phase, conditions, ...more };
        await client.patchStatus(kind, reference, status);
        const changed = await client.patch(kind, reference, { status: { phase: phases[0] } });
        assert.deepEqual(changed["status"], status, kind.kind);
      }
      await assert.rejects(
        client.patchStatus(kind, reference, { phase: "Deleted" }),
        /phase: Unsupported value/,
      );
      await client.delete(kind, reference);
    }
    const created = await client.create(
      kinds.bucketClass,
      { metadata: { name: "x" }, ...greenfield, spec: greenfield, status: { phase: "Bound" } },
      { dryRun: true },
    );
    assert.deepEqual([created["spec"], created["status"]], [undefined, undefined]);
  });

  it("stay with the Buckets of others when the stack goes, and go on request once nothing is left [K02-015]", async () => {
    const group = "staying.example.com";
    const names = definitionsFor(group).map(({ metadata }) => metadata.name);
    const { bucket } = kindsOf(group);
    const reference = { name: "kept", namespace: "default" };
    const inputs = inputsOf(modelNameOf(group));
    const { outputs } = await installed.create(inputs);
    await client.create(bucket, { metadata: reference, spec: bucketSpec });
    await installed.delete(outputs);
    for (const name of names) assert.ok(await read(name), name);
    const removing = await installed.update(outputs, { ...inputs, removeCrds: true });
    await assert.rejects(
      installed.delete(removing),
      /removeCrds: true would delete Bucket default\/kept with its definition/,
    );
    for (const name of names) assert.ok(await read(name), name);
    assert.ok(await client.get(bucket, reference));
    await client.delete(bucket, reference);
    const remove = () => installed.delete(removing);
    // The server is slow with a definition that it has just begun to serve.
    await remove().catch(remove);
    for (const name of names) assert.equal(await read(name), undefined, name);
  });

  /** Each model, with the other's definition of a kind. */
  const pairs = [
    { day: "2020-02-27", model: modelNameOf, own: definitionsFor, others: julyFor },
    { day: "2020-07-08", model: july.modelNameOf, own: julyFor, others: definitionsFor },
  ];
  for (const { day, model, own, others } of pairs) {
    for (const kind of ["Bucket", "BucketClass"]) {
      it(`let no ${kind} of the other proposal be taken for that of ${day} [K02-014]`, async () => {
        const group = `${kind.toLowerCase()}-${day}.example.com`;
        const theirs = others(group).find(({ spec }) => spec.names.kind === kind);
        assert.ok(theirs);
        const { metadata, spec } = theirs;
        await client.create(customResourceDefinitionKind, { metadata, spec });
        const before = await read(metadata.name);
        await assert.rejects(installed.create(inputsOf(model(group))), (error: Error) => {
          for (const part of [metadata.name, "cosi20200227", "cosi20200708", "the input group"]) {
            assert.ok(error.message.includes(part), `${part} in: ${error.message}`);
          }
          return true;
        });
        const after = await read(metadata.name);
        assert.equal(after?.metadata.uid, before?.metadata.uid);
        assert.deepEqual(after?.["spec"], before?.["spec"]);
        for (const { metadata: other } of own(group)) {
          if (other.name !== metadata.name) assert.equal(await read(other.name), undefined, other.name);
        }
      });
    }
  }

  it("have another group beside those of the proposal of 2020-07-08 [K02-014]", async () => {
    const beside = july.kindsOf("july.example.com");
    await installed.create(inputsOf(july.modelNameOf(beside.group)));
    await assert.rejects(installed.create(inputsOf(modelNameOf(beside.group))), /such as february\.cosi\.io/);
    const own = kindsOf("february.example.com");
    await installed.create(inputsOf(modelNameOf(own.group)));
    await client.create(beside.bucket, { metadata: { name: "photos" }, spec: julySpec });
    const created = await client.create(own.bucket, {
      metadata: { name: "photos", namespace: "default" },
      spec: bucketSpec,
    });
    assert.deepEqual(created["spec"], bucketSpec);
    assert.equal(created.metadata.namespace, "default");
    assert.ok(await client.get(beside.bucket, { name: "photos" }));
  });
});
