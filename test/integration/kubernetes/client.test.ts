import assert from "node:assert/strict";
import { connectKubernetes, KubernetesClient } from "../../../provider/kubernetes/client";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { changeMetadata } from "../../../provider/kubernetes/metadata";
import { configMapKind, namespaceKind, secretKind } from "../../../provider/kubernetes/object";
import { asNobody, cluster, newNamespace, type Cluster } from "./cluster";

describe("the client of an API server", function () {
  this.timeout(120_000);
  let kube: Cluster;

  before(async () => {
    kube = await cluster();
  });

  it("knows the cluster by its kube-system, and refuses another than the recorded one", async () => {
    const namespace = await kube.client.get(namespaceKind, { name: "kube-system" });
    assert.equal(kube.client.clusterUid, namespace?.metadata.uid);
    const clusterUid = kube.client.clusterUid;
    assert.equal(await connectKubernetes({ ...kube.target, clusterUid }), kube.client);
    await assert.rejects(
      connectKubernetes({ ...kube.target, clusterUid: "other" }),
      /belongs to another cluster than the stack's objects: .* but other is recorded; point kubeconfig or context/,
    );
  });

  it("is one per API server and process", async () => {
    assert.equal(
      await connectKubernetes(kube.target),
      await connectKubernetes({ ...kube.target, context: null }),
    );
  });

  it("does without the cluster's identity where kube-system may not be read", async () => {
    const nobody = await KubernetesClient.open(asNobody(kube), undefined);
    assert.equal(nobody.clusterUid, null);
    await assert.rejects(
      nobody.list(secretKind, { namespace: "default" }),
      (error) => error instanceof KubernetesError && error.forbidden,
    );
  });

  it("finds nothing of a group, a version or a kind that the server does not have", async () => {
    const unknown = { kind: "Thing", plural: "things" };
    for (const apiVersion of ["example.com/v1", "apiextensions.k8s.io/v9", "apiextensions.k8s.io/v1", "v1"]) {
      const kind = { apiVersion, ...unknown };
      assert.equal(await kube.client.get(kind, { name: "a" }), undefined, apiVersion);
      assert.deepEqual(await kube.client.list(kind), [], apiVersion);
      assert.equal(await kube.client.delete(kind, { name: "a" }), true, apiVersion);
    }
  });

  it("deletes nothing but the object that was meant", async () => {
    const namespace = await newNamespace(kube);
    const secret = await kube.client.create(secretKind, { metadata: { namespace, name: "a" } });
    await assert.rejects(
      kube.client.delete(secretKind, { namespace, name: "a" }, { uid: "another" }),
      /409 Conflict/,
    );
    await kube.client.delete(secretKind, { namespace, name: "a" }, { uid: secret.metadata.uid ?? "" });
    await kube.client.delete(secretKind, { namespace, name: "a" });
    assert.equal(await kube.client.get(secretKind, { namespace, name: "a" }), undefined);
  });

  it("says of a deletion whether the object is gone, or waits for a finalizer", async () => {
    const namespace = await newNamespace(kube);
    const held = { namespace, name: "held", finalizers: ["example.com/held"] };
    await kube.client.create(secretKind, { metadata: { namespace, name: "free" } });
    await kube.client.create(secretKind, { metadata: held });
    assert.equal(await kube.client.delete(secretKind, { namespace, name: "free" }), true);
    assert.equal(await kube.client.delete(secretKind, { namespace, name: "none" }), true);
    assert.equal(await kube.client.delete(secretKind, held), false);
    await kube.client.patch(secretKind, held, { metadata: { finalizers: null } });
  });

  it("lists objects with the fields that are asked for, for each who asks at the same time", async () => {
    const namespace = await newNamespace(kube);
    const metadata = { namespace, name: "listed", annotations: { kept: "1", other: "2" } };
    const { metadata: made } = await kube.client.create(secretKind, { metadata });
    const fields = [
      ["metadata", "uid"],
      ["metadata", "annotations", "kept"],
      ["metadata", "labels", "none"],
      ["type"],
    ];
    const [parts, wholes] = await Promise.all([
      kube.client.list(secretKind, { namespace, fields }),
      kube.client.list(secretKind, { namespace }),
    ]);
    const metadataOfPart = { name: "listed", uid: made.uid, annotations: { kept: "1" } };
    assert.deepEqual(parts, [{ metadata: metadataOfPart, type: "Opaque" }]);
    assert.deepEqual(wholes[0]?.metadata.annotations, metadata.annotations);
  });

  it("remembers what it has written, as it wrote or read it last, but no Secret", async () => {
    const namespace = await newNamespace(kube);
    const client = await KubernetesClient.open(kube.target.kubeconfig ?? undefined, undefined);
    const map = { namespace, name: "map" };
    const version = () => client.lastWritten(configMapKind, map)?.metadata.resourceVersion;
    await client.create(configMapKind, { metadata: { ...map, name: "tried" } }, { dryRun: true });
    assert.equal(client.lastWritten(configMapKind, { ...map, name: "tried" }), undefined);
    const created = await client.create(configMapKind, { metadata: map });
    assert.deepEqual(client.lastWritten(configMapKind, map), created);
    assert.equal(client.lastWritten(configMapKind, { ...map, uid: "another" }), undefined);
    assert.deepEqual(client.lastWritten(configMapKind, { ...map, uid: created.metadata.uid }), created);
    const patched = await client.patch(configMapKind, map, { data: { a: "b" } });
    assert.equal(version(), patched.metadata.resourceVersion);
    const foreign = await kube.client.patch(configMapKind, map, { data: { a: "c" } });
    assert.equal(version(), patched.metadata.resourceVersion);
    await client.get(configMapKind, map);
    assert.equal(version(), foreign.metadata.resourceVersion);
    const stale = { metadata: { resourceVersion: patched.metadata.resourceVersion } };
    await assert.rejects(client.patch(configMapKind, map, stale), /409 Conflict/);
    assert.equal(version(), undefined);
    await client.patch(configMapKind, map, { data: { a: "d" } });
    await client.delete(configMapKind, map);
    assert.equal(version(), undefined);
    const secret = { namespace, name: "secret" };
    await client.create(secretKind, { metadata: secret });
    assert.equal(client.lastWritten(secretKind, secret), undefined);
  });

  it("changes an object that is known without reading it, and reads it where somebody else has written", async () => {
    const namespace = await newNamespace(kube);
    const reference = { namespace, name: "shared" };
    const known = await kube.client.create(secretKind, { metadata: reference });
    let reads = 0;
    const client = await KubernetesClient.open(kube.target.kubeconfig ?? undefined, undefined);
    const get = client.get.bind(client);
    client.get = (...of) => {
      reads += 1;
      return get(...of);
    };
    const annotate = (name: string) =>
      changeMetadata(client, secretKind, reference, () => ({ annotations: { [name]: "" } }), known);
    await annotate("ours");
    assert.equal(reads, 0);
    const changed = await annotate("theirs");
    assert.equal(reads, 1);
    assert.deepEqual(changed?.metadata.annotations, { ours: "", theirs: "" });
  });

  it("lists all pages", async () => {
    const namespace = await newNamespace(kube);
    const names = Array.from({ length: 5 }, (_entry, index) => `s${index}`);
    await Promise.all(names.map((name) => kube.client.create(secretKind, { metadata: { namespace, name } })));
    const listed = await kube.client.list(secretKind, { namespace });
    assert.deepEqual(listed.map(({ metadata }) => metadata.name).sort(), names);
    const some = await kube.client.list(secretKind, { namespace, limit: 2 });
    assert.equal(some.length, 2);
    assert.deepEqual(
      await kube.client.list({ apiVersion: "example.com/v1", kind: "None", plural: "nones" }),
      [],
    );
  });
});
