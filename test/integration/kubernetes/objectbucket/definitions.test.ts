import assert from "node:assert/strict";
import { connectKubernetes, type KubernetesClient } from "../../../../provider/kubernetes/client";
import { provider } from "../../../../provider/kubernetes/custom-resource-definitions";
import type { CustomResourceDefinition } from "../../../../provider/kubernetes/definition";
import {
  customResourceDefinitionKind,
  namespaceKind,
  type KubernetesKind,
} from "../../../../provider/kubernetes/object";
import {
  group,
  modelName,
  objectBucketClaimKind,
  objectBucketKind,
} from "../../../../provider/models/objectbucket/kinds";
import { ApiServer } from "../../../../tools/demo/api-server";
import { startControlPlane } from "../../../../tools/local/control-plane";
import type { ControlPlane } from "../../../../tools/local/control-plane-access";
import { Lifecycle } from "../../../support/lifecycle";
import { owner } from "../objects";
import { claimSpec, objectBucketSpec } from "./written-by-hand";

describe("the definitions of objectbucket.io/v1alpha1", function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let client: KubernetesClient;

  // A server of its own: in the shared one, another test may have definitions of these names from somewhere else.
  before(async () => {
    plane = await startControlPlane({ controllerManager: false });
    client = await connectKubernetes({ kubeconfig: plane.kubeconfig });
    const kubernetes = { kubeconfig: plane.kubeconfig };
    await new Lifecycle(provider).create({ kubernetes, model: modelName, owner });
  });

  after(async () => {
    await plane.stop();
  });

  const claim = (name: string, spec: object, namespace = "default") => ({
    metadata: { name, namespace },
    spec,
  });
  const objectBucket = (name: string, spec: object) => ({ metadata: { name }, spec });
  const accepts = (kind: KubernetesKind, object: ReturnType<typeof objectBucket>) =>
    client.create(kind, object, { dryRun: true });

  it("have their kinds, plurals, short names, scopes and status [OBC-001] [OBC-014] [OBC-015]", async () => {
    const { CustomObjectsApi, KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    config.loadFromFile(plane.kubeconfig);
    const api = config.makeApiClient(CustomObjectsApi);
    const { resources } = await api.getAPIResources({ group, version: "v1alpha1" });
    const table = resources
      .map(({ name, singularName, kind, shortNames = [], namespaced }) =>
        [name, singularName, kind, shortNames.join(","), namespaced].join(" "),
      )
      .sort();
    assert.deepEqual(table, [
      "objectbucketclaims objectbucketclaim ObjectBucketClaim obc,obcs true",
      "objectbucketclaims/status  ObjectBucketClaim  true",
      "objectbuckets objectbucket ObjectBucket ob,obs false",
      "objectbuckets/status  ObjectBucket  false",
    ]);
    for (const { kind, plural } of [objectBucketClaimKind, objectBucketKind]) {
      const found = await client.get(customResourceDefinitionKind, { name: `${plural}.${group}` });
      const { names, versions } = found?.["spec"] as CustomResourceDefinition["spec"];
      assert.equal(names.listKind, `${kind}List`);
      const served = versions.map((version) => [version.name, version.served, version.storage]);
      assert.deepEqual(served, [["v1alpha1", true, true]]);
    }
  });

  it("have a status that only the status resource changes, in either dialect [OBC-014]", async () => {
    const cases = [
      [objectBucketClaimKind, claim("status", claimSpec)],
      [objectBucketKind, objectBucket("status", objectBucketSpec)],
    ] as const;
    for (const [kind, object] of cases) {
      const created = await client.create(kind, { ...object, status: { phase: "Bound" } });
      assert.equal(created["status"], undefined, kind.kind);
      for (const phase of ["Pending", "Bound", "Released", "Failed", "bound"]) {
        await client.patchStatus(kind, object.metadata, { phase });
        const patched = await client.patch(kind, object.metadata, { status: { phase: "Other" } });
        assert.deepEqual(patched["status"], { phase }, kind.kind);
        const untouched = await client.patchStatus(kind, object.metadata, { phase });
        assert.deepEqual(untouched["spec"], object.spec, kind.kind);
      }
      await client.delete(kind, object.metadata);
    }
  });

  it("let claims of one name stand in two namespaces, and ObjectBuckets in none [OBC-015]", async () => {
    await client.create(namespaceKind, { metadata: { name: "other" } });
    for (const namespace of ["default", "other"]) {
      await client.create(objectBucketClaimKind, claim("twice", claimSpec, namespace));
    }
    const found = await client.list(objectBucketClaimKind);
    const places = found.filter(({ metadata }) => metadata.name === "twice");
    assert.deepEqual(places.map(({ metadata }) => metadata.namespace).sort(), ["default", "other"]);
    const { metadata } = await client.create(objectBucketKind, objectBucket("once", objectBucketSpec));
    assert.equal(metadata.namespace, undefined);
  });

  it("have the columns of kubectl get, filled [OBC-016]", async () => {
    const server = new ApiServer(plane.kubeconfig);
    const reference = { name: "shown", namespace: "default" };
    await client.create(objectBucketClaimKind, claim(reference.name, claimSpec));
    await client.patchStatus(objectBucketClaimKind, reference, { phase: "Bound" });
    await client.create(objectBucketKind, objectBucket(reference.name, objectBucketSpec));
    await client.patchStatus(objectBucketKind, { name: reference.name }, { phase: "Released" });
    const tableOf = async (path: string) => {
      const [header, ...rows] = await server.table(`/apis/${group}/v1alpha1${path}`);
      // The age is whatever it is by now.
      return [header, rows.find(([name]) => name === "shown")?.slice(0, -1)];
    };
    assert.deepEqual(await tableOf("/namespaces/default/objectbucketclaims"), [
      ["NAME", "STORAGE-CLASS", "PHASE", "AGE"],
      ["shown", "gold", "Bound"],
    ]);
    assert.deepEqual(await tableOf("/objectbuckets"), [
      ["NAME", "STORAGE-CLASS", "CLAIM-NAMESPACE", "CLAIM-NAME", "RECLAIM-POLICY", "PHASE", "AGE"],
      ["shown", "gold", "shop", "photos", "Retain", "Released"],
    ]);
  });

  it("keep every field of the API, in both dialects, and drop others [OBC-017]", async () => {
    const { claimRef, endpoint, connection } = objectBucketSpec;
    await client.create(
      objectBucketKind,
      objectBucket("full", {
        ...objectBucketSpec,
        colour: "red",
        endpoint: { ...endpoint, ssl: true },
        connection: { ...connection, colour: "red" },
        claimRef: { ...claimRef, colour: "red" },
      }),
    );
    const read = await client.get(objectBucketKind, { name: "full" });
    assert.deepEqual(read?.["spec"], objectBucketSpec);
    assert.equal(Object.keys(claimRef).length, 5);
    const created = await accepts(objectBucketClaimKind, claim("full", { ...claimSpec, colour: "red" }));
    assert.deepEqual(created["spec"], claimSpec);
  });

  it("take null for a map that is empty, as operators write it, and fill in nothing", async () => {
    const nulls = { storageClassName: "gold", additionalConfig: null };
    assert.deepEqual((await accepts(objectBucketClaimKind, claim("null", nulls)))["spec"], nulls);
    const least = { storageClassName: "gold" };
    assert.deepEqual((await accepts(objectBucketClaimKind, claim("least", least)))["spec"], least);
    const spec = { endpoint: { bucketPort: 0, additionalConfig: null }, additionalState: null };
    assert.deepEqual((await accepts(objectBucketKind, objectBucket("null", spec)))["spec"], spec);
    assert.deepEqual((await accepts(objectBucketKind, objectBucket("least", {})))["spec"], {});
  });

  const rejected: [what: string, kind: KubernetesKind, spec: object, message: RegExp][] = [
    ["no class", objectBucketClaimKind, { storageClassName: undefined }, /storageClassName: Required value/],
    ["an empty class", objectBucketClaimKind, { storageClassName: "" }, /storageClassName/],
    [
      "a number",
      objectBucketClaimKind,
      { additionalConfig: { maxObjects: 10 } },
      /additionalConfig\.maxObjects/,
    ],
    ["a port in quotes", objectBucketKind, { endpoint: { bucketPort: "80" } }, /endpoint\.bucketPort/],
    ["half a port", objectBucketKind, { endpoint: { bucketPort: 80.5 } }, /endpoint\.bucketPort/],
    ["ssl in quotes", objectBucketKind, { connection: { endpoint: { ssl: "no" } } }, /endpoint\.ssl/],
    [
      "the policy Recycle",
      objectBucketKind,
      { reclaimPolicy: "Recycle" },
      /reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"/,
    ],
  ];
  for (const [what, kind, spec, message] of rejected) {
    it(`reject an ${kind.kind} with ${what}`, async () => {
      const object =
        kind === objectBucketKind
          ? objectBucket("bad", { ...objectBucketSpec, ...spec })
          : claim("bad", { ...claimSpec, ...spec });
      await assert.rejects(accepts(kind, object), message);
    });
  }
});
