import assert from "node:assert/strict";
import { connectKubernetes, type KubernetesClient } from "../../../../provider/kubernetes/client";
import { provider } from "../../../../provider/kubernetes/custom-resource-definitions";
import type { CustomResourceDefinition } from "../../../../provider/kubernetes/definition";
import { customResourceDefinitionKind, type KubernetesKind } from "../../../../provider/kubernetes/object";
import { definitionsFor } from "../../../../provider/models/cosi-2020-07/definitions";
import { kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-07/kinds";
import { startControlPlane } from "../../../../tools/local/control-plane";
import type { ControlPlane } from "../../../../tools/local/control-plane-access";
import { Lifecycle } from "../../../support/lifecycle";
import { owner } from "../objects";
import { bucketSpec, kinds, provisioner } from "./july";
import { namespaced, verdicts } from "./verdicts";

const text = { type: "string" } as const;
const object = (properties: object) => ({ type: "object", properties });

/** A definition that somebody else has installed. */
function stranger(
  group: string,
  kind: string,
  scope: "Cluster" | "Namespaced",
  properties: object,
): CustomResourceDefinition {
  const wanted = definitionsFor(group).find(({ spec }) => spec.names.kind === kind);
  assert.ok(wanted);
  const schema = { openAPIV3Schema: object(properties) };
  const versions = [{ name: "v1alpha1", served: true, storage: true, schema }];
  return { metadata: { name: wanted.metadata.name }, spec: { ...wanted.spec, scope, versions } };
}

/** Definitions of the proposal of 2020-02-27 that have names of this one, as far as the two differ. */
const february = {
  bucket: (group: string) =>
    stranger(group, "Bucket", "Namespaced", { spec: object({ requestProtocol: text }) }),
  bucketClass: (group: string) =>
    stranger(group, "BucketClass", "Cluster", {
      provisioner: text,
      supportedProtocols: { type: "array", items: text },
    }),
};

describe("the definitions of the proposal of 2020-07-08", function () {
  this.timeout(180_000);
  const installed = new Lifecycle(provider);
  let plane: ControlPlane;
  let client: KubernetesClient;

  // A server of its own, as definitions are deleted. Beside those of the proposal's group, each test has a group of its own:
  // the server is slow with definitions that come back.
  before(async () => {
    plane = await startControlPlane({ controllerManager: false });
    client = await connectKubernetes({ kubeconfig: plane.kubeconfig });
    await installed.create(inputsOf("cosi.io"));
  });

  after(async () => {
    await plane.stop();
  });

  afterEach(async () => {
    for (const kind of [kinds.bucket, kinds.bucketClass, kinds.bucketAccess, kinds.bucketAccessClass]) {
      for (const { metadata } of await client.list(kind)) await client.delete(kind, metadata);
    }
  });

  const inputsOf = (group: string) => ({
    kubernetes: { kubeconfig: plane.kubeconfig },
    model: modelNameOf(group),
    owner,
  });

  const read = (name: string) => client.get(customResourceDefinitionKind, { name });

  it("have its group, scopes, plurals and subresources, and columns for kubectl [K07-011]", async () => {
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
      ["cosi.io", "v1alpha1", "buckets", "Cluster", true, "Provisioner,Protocol,Policy,Phase,Age"],
      ["cosi.io", "v1alpha1", "bucketclasses", "Cluster", false, "Provisioner,Protocol,Policy,Default,Age"],
      ["cosi.io", "v1alpha1", "bucketrequests", "Namespaced", true, "Protocol,Class,Bucket,Phase,Age"],
      ["cosi.io", "v1alpha1", "bucketaccesses", "Cluster", true, "Provisioner,Namespace,Request,Phase,Age"],
      ["cosi.io", "v1alpha1", "bucketaccessclasses", "Cluster", false, "Provisioner,Protocol,Age"],
      ["cosi.io", "v1alpha1", "bucketaccessrequests", "Namespaced", true, "Bucket,Class,Secret,Phase,Age"],
    ]);
  });

  it("accept and reject what the proposal does, for objects of kubectl too [K07-020] [K07-046] [K07-053] [K07-076] [K07-114]", async () => {
    for (const { what, kind, fields, rejects } of verdicts) {
      const scope = namespaced.includes(kind.kind) ? { namespace: "default" } : {};
      const created = client.create(kind, { ...fields, metadata: { name: "x", ...scope } }, { dryRun: true });
      if (rejects === undefined) await assert.doesNotReject(created, what);
      else await assert.rejects(created, rejects, what);
    }
  });

  it("fill in Retain, private and no default class [K07-038]", async () => {
    const bucket = await client.create(kinds.bucket, { metadata: { name: "legacy" }, spec: bucketSpec });
    assert.deepEqual(bucket["spec"], {
      ...bucketSpec,
      releasePolicy: "Retain",
      anonymousAccessMode: "private",
    });
    for (const releasePolicy of ["retain", "Recycle", ""]) {
      await assert.rejects(
        client.patch(kinds.bucket, { name: "legacy" }, { spec: { releasePolicy } }),
        /releasePolicy: Unsupported value.*supported values: "Retain", "Delete"/,
      );
    }
    await client.patch(kinds.bucket, { name: "legacy" }, { spec: { releasePolicy: "Delete" } });
    const named = await client.create(kinds.bucketClass, {
      metadata: { name: "gold" },
      provisioner,
      protocol: "s3",
    });
    const { releasePolicy, anonymousAccessMode, isDefaultBucketClass } = named;
    assert.deepEqual(
      [releasePolicy, anonymousAccessMode, isDefaultBucketClass],
      ["Retain", "private", false],
    );
  });

  it("keep every field of each protocol's member, and drop others [K07-047]", async () => {
    const members = {
      azureBlob: { containerName: "c", storageAccount: "a" },
      s3: { endpoint: "https://s3", bucketName: "b", region: "eu", signatureVersion: "V4" },
      gcs: { bucketName: "b", privateKeyName: "k", projectId: "p", serviceAccount: "s" },
    };
    for (const [signature, member] of Object.entries(members)) {
      const protocol = { protocolSignature: signature, [signature]: { ...member, colour: "red" } };
      const name = signature.toLowerCase();
      await client.create(kinds.bucket, { metadata: { name }, spec: { ...bucketSpec, protocol, size: "9" } });
      const spec = (await client.get(kinds.bucket, { name }))?.["spec"] as Record<string, unknown>;
      assert.deepEqual(spec["protocol"], { protocolSignature: signature, [signature]: member });
      assert.equal(spec["size"], undefined);
    }
    const signed = (signatureVersion: string) =>
      client.patch(kinds.bucket, { name: "s3" }, { spec: { protocol: { s3: { signatureVersion } } } });
    await signed("V2");
    await assert.rejects(signed("v4"), /signatureVersion: Unsupported value: "v4"/);
  });

  it("have fields of classes at the top, and status as a resource of its own elsewhere [K07-012]", async () => {
    const specs: [KubernetesKind, object, object][] = [
      [kinds.bucket, bucketSpec, { parameters: { tier: "hot" } }],
      [kinds.bucketRequest, { protocol: "s3" }, { bucketInstanceName: "legacy" }],
      [
        kinds.bucketAccessRequest,
        { bucketInstance: "legacy", bucketAccessClassName: "read", serviceAccountName: "web" },
        { bucketAccessName: "bucketaccess-x-default" },
      ],
      [
        kinds.bucketAccess,
        {
          bucketAccessRequestName: "x",
          bucketAccessRequestNamespace: "default",
          serviceAccountName: "web",
          provisioner,
        },
        { parameters: { tier: "hot" } },
      ],
    ];
    for (const [kind, spec, change] of specs) {
      const reference = { name: "x", ...(namespaced.includes(kind.kind) ? { namespace: "default" } : {}) };
      const created = await client.create(kind, { metadata: reference, spec, status: { phase: "Bound" } });
      assert.equal(created["status"], undefined, kind.kind);
      await client.patchStatus(kind, reference, { phase: "Bound" });
      const changed = await client.patch(kind, reference, { spec: change, status: { phase: "Deleting" } });
      assert.deepEqual(changed["status"], { phase: "Bound" }, kind.kind);
    }
    for (const kind of [kinds.bucketClass, kinds.bucketAccessClass]) {
      const fields = { provisioner, protocol: "s3", spec: { protocol: "gcs" }, status: { phase: "Bound" } };
      const created = await client.create(kind, { metadata: { name: "x" }, ...fields });
      assert.equal(created["protocol"], "s3", kind.kind);
      assert.equal(created["spec"], undefined, kind.kind);
      assert.equal(created["status"], undefined, kind.kind);
    }
  });

  it("stay with a released Bucket when the stack goes, and go on request once nothing is left [K07-014]", async () => {
    const group = "released.example.com";
    const names = definitionsFor(group).map(({ metadata }) => metadata.name);
    const { bucket } = kindsOf(group);
    const inputs = inputsOf(group);
    const { outputs } = await installed.create(inputs);
    await client.create(bucket, { metadata: { name: "kept" }, spec: bucketSpec });
    await client.patchStatus(bucket, { name: "kept" }, { phase: "Released" });
    await installed.delete(outputs);
    for (const name of names) assert.ok(await read(name), name);
    assert.ok(await client.get(bucket, { name: "kept" }));
    const removing = await installed.update(outputs, { ...inputs, removeCrds: true });
    await assert.rejects(
      installed.delete(removing),
      /removeCrds: true would delete Bucket kept with its definition/,
    );
    for (const name of names) assert.ok(await read(name), name);
    assert.ok(await client.get(bucket, { name: "kept" }));
    await client.delete(bucket, { name: "kept" });
    const remove = () => installed.delete(removing);
    // The server is slow with a definition that it has just begun to serve.
    await remove().catch(remove);
    for (const name of names) assert.equal(await read(name), undefined, name);
  });

  it("give way to those of the proposal of 2020-02-27, and have another group beside them [K07-013]", async () => {
    for (const [key, foreign] of Object.entries(february)) {
      const group = `${key.toLowerCase()}.example.com`;
      const { metadata } = await client.create(customResourceDefinitionKind, foreign(group));
      const before = await read(metadata.name);
      await assert.rejects(installed.create(inputsOf(group)), (error: Error) => {
        for (const part of [metadata.name, "2020-02-27", "2020-07-08", "the input group"]) {
          assert.ok(error.message.includes(part), `${part} in: ${error.message}`);
        }
        return true;
      });
      const after = await read(metadata.name);
      assert.equal(after?.metadata.uid, before?.metadata.uid);
      assert.deepEqual(after?.["spec"], before?.["spec"]);
      for (const { metadata: other } of definitionsFor(group)) {
        if (other.name !== metadata.name) assert.equal(await read(other.name), undefined, other.name);
      }
    }
    const group = "bucket.example.com";
    const beside = kindsOf(`july.${group}`);
    await installed.create(inputsOf(beside.group));
    await client.create(beside.bucket, { metadata: { name: "legacy" }, spec: bucketSpec });
    const theirs = { metadata: { name: "legacy", namespace: "default" }, spec: { requestProtocol: "s3" } };
    const created = await client.create(kindsOf(group).bucket, theirs);
    assert.deepEqual(created["spec"], theirs.spec);
    assert.ok(await client.get(beside.bucket, { name: "legacy" }));
  });

  it("are seen in a refresh to have given way, and stop the up after it", async () => {
    const group = "swapped.example.com";
    const { outputs } = await installed.create(inputsOf(group));
    const { metadata, spec } = february.bucketClass(group);
    await client.patch(customResourceDefinitionKind, metadata, { spec: { versions: spec.versions } });
    const seen = await installed.read(outputs);
    assert.deepEqual(seen.outputs["drift"], [`${metadata.name} is another one`]);
    assert.equal((await installed.diff(seen.outputs, inputsOf(group))).changes, true);
    await assert.rejects(
      installed.update(seen.outputs, inputsOf(group)),
      /has the field supportedProtocols, like the one of the COSI proposal of 2020-02-27 .*, but the one of/,
    );
  });

  it("do not take a definition for their own that would drop what is written", async () => {
    const group = "dropping.example.com";
    await client.create(
      customResourceDefinitionKind,
      stranger(group, "BucketClass", "Cluster", { provisioner: text }),
    );
    await assert.rejects(
      installed.create(inputsOf(group)),
      /bucketclasses\.dropping\.example\.com exists and has no field protocol/,
    );
    assert.equal(await read(`buckets.${group}`), undefined);
  });
});
