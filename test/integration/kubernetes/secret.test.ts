import assert from "node:assert/strict";
import { FailedResourceError } from "../../../provider/dynamic/failed";
import { isRecord } from "../../../provider/dynamic/values";
import { removeFinalizers } from "../../../provider/kubernetes/finalizers";
import { secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import { provider } from "../../../provider/kubernetes/secret";
import {
  apiVersion,
  bucketAccessKind,
  finalizers,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { fillQuota } from "../../support/faults/quota";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessTo, claimedBucket, installDefinitions, statusOf } from "./objects";

type Inputs = Parameters<typeof provider.create>[0];
type Outputs = Parameters<NonNullable<typeof provider.update>>[1];

/** Outputs as Pulumi hands them back: what was marked as secret comes in plain text. */
function unwrapped(outs: unknown): Outputs {
  const plain = JSON.parse(JSON.stringify(outs), (_key, value: unknown) =>
    isRecord(value) && "4dabf18193072939515e22adb298388d" in value ? value["value"] : value,
  ) as Outputs;
  return plain;
}

async function update(id: string, olds: Outputs, news: Inputs): Promise<Outputs> {
  return unwrapped((await provider.update(id, olds, news)).outs);
}

describe("the Secret of an access", function () {
  this.timeout(120_000);
  let kube: Cluster;
  let inputs: Inputs;
  let namespace: string;

  const live = (): Promise<KubernetesObject | undefined> => kube.client.get(secretKind, inputs);
  const dataOf = (secret: KubernetesObject | undefined): Record<string, string> => {
    const data = isRecord(secret?.["data"]) ? secret["data"] : {};
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString()]),
    );
  };
  const accessGranted = () => statusOf(kube, bucketAccessKind, { namespace, name: inputs.owner.name });

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
    const { access, secretName } = await accessTo(kube, await claimedBucket(kube, namespace), "rw");
    inputs = {
      kubernetes: kube.target,
      namespace,
      name: secretName,
      owner: { apiVersion, kind: bucketAccessKind.kind, name: access.name, uid: access.uid },
      data: { BucketInfo: '{"key":"very-secret-1"}', second: "very-secret-2" },
      finalizer: finalizers.secret,
      model: modelName,
    };
  });

  it("belongs to its BucketAccess, is protected, and says that access is granted [OS1-037]", async () => {
    await provider.create(inputs);
    const secret = await live();
    assert.deepEqual(secret?.metadata.ownerReferences, [{ ...inputs.owner, controller: true }]);
    assert.deepEqual(secret.metadata.finalizers, [finalizers.secret]);
    assert.equal(secret["type"], "Opaque");
    assert.deepEqual(dataOf(secret), inputs.data);
    assert.deepEqual(await accessGranted(), { accessGranted: true });
  });

  it("marks its values as secret in what goes into the state", async () => {
    const { outs } = await provider.create(inputs);
    const text = JSON.stringify(outs, (_key, value: unknown) =>
      isRecord(value) && "4dabf18193072939515e22adb298388d" in value ? "[secret]" : value,
    );
    assert.doesNotMatch(text, /very-secret/);
    assert.match(text, /"data":"\[secret\]"/);
  });

  it("leaves a Secret of somebody else as it is, when it is created, changed or deleted", async () => {
    const { outs } = await provider.create(inputs);
    const olds = unwrapped(outs);
    await provider.delete("id", olds);
    const foreign = await kube.client.create(secretKind, { metadata: { namespace, name: inputs.name } });
    await assert.rejects(
      provider.create(inputs),
      /exists and does not belong to BucketAccess rw.*stays as it is/,
    );
    await assert.rejects(update("id", olds, { ...inputs, data: { a: "b" } }), /does not belong/);
    await provider.delete("id", olds);
    assert.equal((await live())?.metadata.resourceVersion, foreign.metadata.resourceVersion);
  });

  it("changes in place, with the same UID, and without keys that are no longer wanted [OS1-047]", async () => {
    const { id, outs } = await provider.create(inputs);
    const before = await live();
    const data = { BucketInfo: "rotated" };
    assert.deepEqual(await provider.diff(id, unwrapped(outs), { ...inputs, data }), {
      changes: true,
      replaces: [],
      deleteBeforeReplace: true,
    });
    await update(id, unwrapped(outs), { ...inputs, data });
    const after = await live();
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(dataOf(after), data);
  });

  it("takes the Secret of a run that was killed for its own", async () => {
    await provider.create(inputs);
    const before = await live();
    await provider.create({ ...inputs, data: { BucketInfo: "second" } });
    const after = await live();
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(dataOf(after), { BucketInfo: "second" });
  });

  it("goes with its own finalizer, and tells the BucketAccess before", async () => {
    const { id, outs } = await provider.create(inputs);
    await provider.delete(id, unwrapped(outs));
    assert.equal(await live(), undefined);
    assert.deepEqual(await accessGranted(), { accessGranted: false });
    await provider.delete(id, unwrapped(outs));
  });

  it("shows no change after a refresh in which nothing was touched", async () => {
    const { id, outs } = await provider.create(inputs);
    const read = await provider.read(id, unwrapped(outs));
    assert.deepEqual(await provider.diff(id, unwrapped(read.props), inputs), {
      changes: false,
      replaces: [],
      deleteBeforeReplace: true,
    });
    const { data, owner, name } = unwrapped(read.inputs);
    assert.deepEqual({ data, owner, name }, { data: inputs.data, owner: inputs.owner, name: inputs.name });
    assert.equal("drift" in unwrapped(read.inputs), false);
  });

  it("shows no change of a state from before it had annotations, with and without a refresh", async () => {
    const { id, outs } = await provider.create(inputs);
    const olds = unwrapped(outs);
    assert.equal(olds.annotations, null);
    Reflect.deleteProperty(olds, "annotations");
    const seen = unwrapped((await provider.read(id, olds)).props);
    assert.deepEqual({ ...seen, annotations: undefined }, { ...olds, annotations: undefined });
    for (const state of [olds, seen]) {
      assert.equal((await provider.diff(id, state, inputs)).changes, false);
    }
  });

  it("has annotations, and a hold on its owner, that change in place", async () => {
    const { id, outs } = await provider.create(inputs);
    const before = await live();
    const annotations = { "example.com/team": "web" };
    const news = { ...inputs, annotations, owner: { ...inputs.owner, blockOwnerDeletion: true } };
    assert.deepEqual((await provider.diff(id, unwrapped(outs), news)).replaces, []);
    const olds = await update(id, unwrapped(outs), news);
    const after = await live();
    assert.equal(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(after?.metadata.annotations, annotations);
    assert.deepEqual(after.metadata.ownerReferences, [
      { ...inputs.owner, controller: true, blockOwnerDeletion: true },
    ]);
    await update(id, olds, inputs);
    assert.equal((await live())?.metadata.annotations, undefined);
  });

  it("shows what was edited by hand after a refresh, and writes it anew", async () => {
    const { id, outs } = await provider.create(inputs);
    await kube.client.patch(secretKind, inputs, { data: { BucketInfo: "ZWRpdGVk" } });
    await removeFinalizers(kube.client, secretKind, inputs, undefined, [finalizers.secret]);
    await kube.client.patchStatus(bucketAccessKind, { namespace, name: "rw" }, { accessGranted: false });
    const seen = unwrapped((await provider.read(id, unwrapped(outs))).props);
    assert.deepEqual(seen.drift, [
      `finalizer ${finalizers.secret} is missing`,
      "data key BucketInfo was changed",
      "BucketAccess's status.accessGranted is not true",
    ]);
    assert.equal(seen.data["BucketInfo"], "edited");
    const diff = await provider.diff(id, seen, inputs);
    assert.equal(diff.changes, true);
    await update(id, seen, inputs);
    assert.deepEqual(dataOf(await live()), inputs.data);
    assert.deepEqual((await live())?.metadata.finalizers, [finalizers.secret]);
    assert.deepEqual(await accessGranted(), { accessGranted: true });
  });

  it("is written again with the same content when somebody deletes it", async () => {
    const { id, outs } = await provider.create(inputs);
    const before = await live();
    await kube.client.delete(secretKind, inputs);
    const seen = unwrapped((await provider.read(id, unwrapped(outs))).props);
    assert.deepEqual(seen.drift, ["is being deleted"]);
    await update(id, seen, inputs);
    const after = await live();
    assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(dataOf(after), inputs.data);
    await removeFinalizers(kube.client, secretKind, inputs, undefined, [finalizers.secret]);
    await kube.client.delete(secretKind, inputs);
    assert.deepEqual(await provider.read(id, seen), {});
  });

  it("is made anew where it is immutable and has to have other data, and is as good as any where it has its own", async () => {
    const { id, outs } = await provider.create(inputs);
    const lock = () => kube.client.patch(secretKind, inputs, { immutable: true });
    const locked = await lock();
    const rotated = { ...inputs, data: { BucketInfo: "rotated" } };
    const olds = await update(id, unwrapped(outs), rotated);
    const second = await live();
    assert.notEqual(second?.metadata.uid, locked.metadata.uid);
    assert.deepEqual(dataOf(second), rotated.data);
    assert.equal(olds.uid, second?.metadata.uid);

    await lock();
    const seen = unwrapped((await provider.read(id, olds)).props);
    assert.deepEqual(seen.drift, []);
    assert.equal((await provider.diff(id, seen, rotated)).changes, false);
    // What is not its data, the server changes in place.
    const annotated = { ...rotated, annotations: { "example.com/team": "shop" } };
    const third = await update(id, seen, annotated);
    assert.equal(third.uid, second?.metadata.uid);
    assert.equal((await live())?.metadata.annotations?.["example.com/team"], "shop");
    await update(id, third, inputs);
    const fourth = await live();
    assert.equal(fourth?.["immutable"], undefined);
    assert.deepEqual(dataOf(fourth), inputs.data);
    assert.deepEqual(fourth?.metadata.finalizers, [finalizers.secret]);
    assert.deepEqual(await accessGranted(), { accessGranted: true });
  });

  it("that has the data of an earlier run, and is immutable, is told by a refresh", async () => {
    const { id, outs } = await provider.create(inputs);
    await kube.client.patch(secretKind, inputs, { immutable: true, data: { BucketInfo: "b2xk" } });
    const seen = unwrapped((await provider.read(id, unwrapped(outs))).props);
    assert.deepEqual(seen.drift, ["is immutable", "data key BucketInfo was changed"]);
  });

  it("stays, whoever deletes it, where the quota has no place for a new one", async () => {
    const { id, outs } = await provider.create(inputs);
    const before = await live();
    await kube.client.delete(secretKind, inputs);
    const lift = await fillQuota(kube.client, namespace);
    await assert.rejects(
      update(id, unwrapped(outs), inputs),
      /^RefusedError: Secret \S+ stays as it is: .*create Secret \S+: 403 Forbidden: .*exceeded quota: full.*Next: /,
    );
    assert.equal((await live())?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(dataOf(await live()), inputs.data);
    await lift();
    await update(id, unwrapped(outs), inputs);
    assert.notEqual((await live())?.metadata.uid, before?.metadata.uid);
    assert.deepEqual(dataOf(await live()), inputs.data);
  });

  it("leaves a Secret of somebody else that is immutable as it is", async () => {
    const metadata = { namespace, name: inputs.name };
    const foreign = await kube.client.create(secretKind, { metadata, immutable: true });
    await assert.rejects(provider.create(inputs), /does not belong to BucketAccess rw.*stays as it is/);
    assert.equal((await live())?.metadata.resourceVersion, foreign.metadata.resourceVersion);
  });

  it("stays in the state, with all its inputs, where an error does not say that nothing was written", async () => {
    const model = "objectstorage.k8s.io/v0";
    await assert.rejects(provider.create({ ...inputs, model }), (error) => {
      assert.ok(error instanceof FailedResourceError);
      assert.equal(error.id, `${namespace}/${inputs.name}`);
      assert.equal(error.properties["name"], inputs.name);
      assert.doesNotMatch(error.message, /very-secret/);
      return true;
    });
    assert.equal(await live(), undefined, "nothing is written for a model that is not known");
  });

  it("is replaced with its owner: an owner that is not known yet is a reason, unknown data is none", async () => {
    const { id, outs } = await provider.create(inputs);
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const owner = { ...inputs.owner, uid: unknown };
    assert.deepEqual(await provider.diff(id, unwrapped(outs), { ...inputs, owner }), {
      changes: true,
      replaces: ["owner"],
      deleteBeforeReplace: true,
    });
    const unknownData = JSON.parse(`{"data":${JSON.stringify(unknown)}}`) as Pick<Inputs, "data">;
    const checked = await provider.check(inputs, { ...inputs, ...unknownData });
    assert.deepEqual(checked.failures, []);
    assert.deepEqual(await provider.diff(id, unwrapped(outs), { ...inputs, ...unknownData }), {
      changes: true,
      replaces: [],
      deleteBeforeReplace: true,
    });
  });

  it("names a finalizer of somebody else that holds it back [CASE-U25]", async function () {
    this.timeout(90_000);
    const { id, outs } = await provider.create(inputs);
    await kube.client.patch(secretKind, inputs, { metadata: { finalizers: ["example.com/held"] } });
    await assert.rejects(
      provider.delete(id, unwrapped(outs)),
      /still there after 30 s: held by example\.com\/held/,
    );
    await removeFinalizers(kube.client, secretKind, inputs, undefined, ["example.com/held"]);
  });
});
