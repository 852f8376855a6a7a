import assert from "node:assert/strict";
import { isRecord } from "../../../provider/dynamic/values";
import { provider } from "../../../provider/kubernetes/config-map";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { configMapKind, namespaceKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { cluster, newNamespace, type Cluster } from "./cluster";

type Inputs = Parameters<typeof provider.create>[0];
type Outputs = Parameters<NonNullable<typeof provider.update>>[1];

const finalizer = "objectbucket.io/finalizer";
const unchanged = { changes: false, replaces: [], deleteBeforeReplace: true };
const updated = { changes: true, replaces: [], deleteBeforeReplace: true };

/** Outputs as Pulumi hands them back: the kubeconfig, which is secret, comes in plain text. */
function stored(outs: Outputs | undefined): Outputs {
  const plain = JSON.parse(JSON.stringify(outs), (_key, value: unknown) =>
    isRecord(value) && "4dabf18193072939515e22adb298388d" in value ? value["value"] : value,
  ) as Outputs;
  return plain;
}

describe("the ConfigMap of a claim", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let inputs: Inputs;

  const live = (): Promise<KubernetesObject | undefined> => kube.client.get(configMapKind, inputs);
  const create = async (): Promise<{ id: string; olds: Outputs }> => {
    const { id, outs } = await provider.create(inputs);
    return { id, olds: stored(outs) };
  };
  const read = async (id: string, olds: Outputs): Promise<Outputs> =>
    stored((await provider.read(id, olds)).props);

  before(async () => {
    kube = await cluster();
  });

  beforeEach(async () => {
    const namespace = await newNamespace(kube);
    const { uid = "" } = (await kube.client.get(namespaceKind, { name: namespace }))?.metadata ?? {};
    inputs = {
      kubernetes: kube.target,
      namespace,
      name: "photos",
      // Any object has a UID that the server accepts.
      owner: { apiVersion: "v1", kind: "Namespace", name: namespace, uid, blockOwnerDeletion: true },
      data: { BUCKET_HOST: "s3.example.com", BUCKET_PORT: "80", BUCKET_SUBREGION: "" },
      labels: { "bucket-provisioner": "cosi.objectbucket.io-fake" },
      annotations: { "example.com/team": "web" },
      finalizer,
    };
  });

  it("belongs to its claim, is protected, and holds texts as they are, empty ones too", async () => {
    await create();
    const map = await live();
    const { blockOwnerDeletion, ...owner } = inputs.owner;
    assert.deepEqual(map?.metadata.ownerReferences, [{ ...owner, controller: true, blockOwnerDeletion }]);
    assert.deepEqual(map.metadata.finalizers, [finalizer]);
    assert.deepEqual(map.metadata.labels, inputs.labels);
    assert.deepEqual(map.metadata.annotations, inputs.annotations);
    assert.deepEqual(map["data"], inputs.data);
  });

  it("has each of its outputs in the state, and its data in plain text", async () => {
    const { outs } = await provider.create({ ...inputs, labels: null, annotations: null, finalizer: null });
    assert.deepEqual(Object.keys(stored(outs)).sort(), [
      "annotations",
      "data",
      "drift",
      "finalizer",
      "kubernetes",
      "labels",
      "name",
      "namespace",
      "owner",
      "schemaVersion",
      "uid",
    ]);
    assert.deepEqual(outs?.data, inputs.data);
  });

  it("refuses a name, a namespace and keys that the server would refuse", async () => {
    const { failures = [] } = await provider.check(inputs, {
      ...inputs,
      namespace: "Shop",
      name: "pho_tos",
      data: { "a b": "x" },
    });
    assert.deepEqual(
      failures.map(({ reason }) => reason.split(":")[0]),
      ['namespace is "Shop"', 'name is "pho_tos"', 'data has the key "a b"'],
    );
    assert.match(failures[2]?.reason ?? "", /keys of a ConfigMap/);
    assert.deepEqual((await provider.check(inputs, inputs)).failures, []);
  });

  it("stops at one of somebody else, and leaves it as it is, also when it is changed or deleted", async () => {
    const { id, olds } = await create();
    await provider.delete(id, olds);
    const { namespace, name } = inputs;
    const { apiVersion, kind, name: ownerName } = inputs.owner;
    const namesake = { apiVersion, kind, name: ownerName, uid: "11111111-2222-3333-4444-555555555555" };
    const foreign = await kube.client.create(configMapKind, {
      metadata: { namespace, name, ownerReferences: [namesake] },
      data: { BUCKET_HOST: "other" },
    });
    await assert.rejects(
      provider.create(inputs),
      /ConfigMap .*\/photos exists and does not belong to Namespace .*stays as it is/,
    );
    await assert.rejects(provider.update(id, olds, { ...inputs, data: { a: "b" } }), /does not belong/);
    await provider.delete(id, olds);
    assert.deepEqual(await provider.read(id, olds), {});
    assert.equal((await live())?.metadata.resourceVersion, foreign.metadata.resourceVersion);
  });

  it("changes in place with the same UID, without what is no longer wanted, and keeps what others added [OBC-045]", async () => {
    const { id, olds } = await create();
    const before = await live();
    await kube.client.patch(configMapKind, inputs, {
      metadata: { labels: { theirs: "1" }, annotations: { theirs: "2" }, finalizers: [finalizer, "a.io/b"] },
    });
    const news = {
      ...inputs,
      data: { BUCKET_HOST: "moved" },
      labels: { other: "label" },
      annotations: { other: "annotation" },
    };
    assert.deepEqual(await provider.diff(id, olds, news), updated);
    const { outs } = await provider.update(id, olds, news);
    const after = await live();
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(after?.["data"], news.data);
    assert.deepEqual(after.metadata.labels, { theirs: "1", other: "label" });
    assert.deepEqual(after.metadata.annotations, { theirs: "2", other: "annotation" });
    assert.deepEqual(after.metadata.finalizers, ["a.io/b", finalizer]);
    assert.deepEqual(await provider.diff(id, stored(outs), news), unchanged);
    await removeFinalizers(kube.client, configMapKind, inputs, undefined, ["a.io/b"]);
  });

  it("writes nothing anew where all is as it should be", async () => {
    const { id, olds } = await create();
    const before = await live();
    await provider.update(id, olds, inputs);
    await provider.create(inputs);
    assert.equal((await live())?.metadata.resourceVersion, before?.metadata.resourceVersion);
  });

  it("has another owner's hold changed in place, and is replaced with its owner", async () => {
    const { id, olds } = await create();
    const { apiVersion, kind, name, uid } = inputs.owner;
    const owner = { apiVersion, kind, name, uid };
    const loose = { ...inputs, owner };
    assert.deepEqual(await provider.diff(id, olds, loose), updated);
    await provider.update(id, olds, loose);
    assert.deepEqual((await live())?.metadata.ownerReferences, [{ ...owner, controller: true }]);
    const other = { ...inputs, owner: { ...inputs.owner, uid: "11111111-2222-3333-4444-555555555555" } };
    const plan = { changes: true, replaces: ["owner"], deleteBeforeReplace: true };
    assert.deepEqual(await provider.diff(id, olds, other), plan);
    const unknown = { ...inputs.owner, uid: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
    assert.deepEqual(await provider.diff(id, olds, { ...inputs, owner: unknown }), plan);
  });

  it("shows no change after a refresh in which nothing was touched", async () => {
    const { id, olds } = await create();
    const { props, inputs: found } = await provider.read(id, olds);
    assert.deepEqual(stored(props), olds);
    assert.deepEqual(await provider.diff(id, stored(props), inputs), unchanged);
    assert.deepEqual(stored(found).data, inputs.data);
    assert.equal("drift" in stored(found), false);
  });

  it("shows what was edited by hand after a refresh, and writes it anew", async () => {
    const { id, olds } = await create();
    await kube.client.patch(configMapKind, inputs, {
      data: { BUCKET_PORT: "81", BUCKET_SUBREGION: null, MORE: "x" },
      metadata: {
        labels: { "bucket-provisioner": null },
        annotations: { "example.com/team": "other" },
        finalizers: null,
        ownerReferences: [{ ...inputs.owner, controller: true, blockOwnerDeletion: false }],
      },
    });
    const seen = await read(id, olds);
    assert.deepEqual(seen.drift, [
      `finalizer ${finalizer} is missing`,
      "ownerReference does not block its owner's deletion",
      "label bucket-provisioner is missing",
      "annotation example.com/team is other",
      "data key BUCKET_PORT was changed",
      "data key BUCKET_SUBREGION is missing",
      "data key MORE was added",
    ]);
    assert.deepEqual(await provider.diff(id, seen, inputs), updated);
    await provider.update(id, seen, inputs);
    assert.deepEqual((await live())?.["data"], inputs.data);
    assert.deepEqual((await read(id, olds)).drift, []);
  });

  it("is made anew where somebody has made it immutable and it has to have other data", async () => {
    const { id, olds } = await create();
    const locked = await kube.client.patch(configMapKind, inputs, { immutable: true });
    const seen = await read(id, olds);
    assert.deepEqual(seen.drift, []);
    await provider.update(id, seen, { ...inputs, data: { BUCKET_HOST: "moved" } });
    const map = await live();
    assert.notEqual(map?.metadata.uid, locked.metadata.uid);
    assert.deepEqual(map?.["data"], { BUCKET_HOST: "moved" });
    assert.deepEqual(map.metadata.finalizers, [finalizer]);
  });

  it("can still be read when somebody deletes it, and is written again with the same content [OBC-045]", async () => {
    const { id, olds } = await create();
    await kube.client.delete(configMapKind, inputs);
    assert.deepEqual((await live())?.["data"], inputs.data);
    const seen = await read(id, olds);
    assert.deepEqual(seen.drift, ["is being deleted"]);
    await provider.update(id, seen, inputs);
    const after = await live();
    assert.notEqual(after?.metadata.uid, olds.uid);
    assert.equal(after?.metadata.deletionTimestamp, undefined);
    assert.deepEqual(after?.["data"], inputs.data);
    await removeFinalizers(kube.client, configMapKind, inputs, undefined, [finalizer]);
    await kube.client.delete(configMapKind, inputs);
    assert.deepEqual(await provider.read(id, seen), {});
  });

  it("goes with its own finalizer, and once more without complaint", async () => {
    const { id, olds } = await create();
    await provider.delete(id, olds);
    assert.equal(await live(), undefined);
    await provider.delete(id, olds);
  });
});
