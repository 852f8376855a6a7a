import assert from "node:assert/strict";
import { provider } from "../../../provider/kubernetes/custom-resource-definitions";
import type { CustomResourceDefinition } from "../../../provider/kubernetes/definition";
import {
  customResourceDefinitionKind,
  deploymentKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../../provider/kubernetes/object";
import { openTransport } from "../../../provider/kubernetes/transport";
import { definitionsFor } from "../../../provider/models/deployment/definitions";
import { defaultGroup, kindsOf, modelNameOf } from "../../../provider/models/deployment/kinds";
import { Lifecycle } from "../../support/lifecycle";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { deploymentVerdicts } from "./deployment-verdicts";
import { owner } from "./objects";

const kinds = kindsOf(defaultGroup);

/** What API discovery tells of a resource. */
interface Discovered {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly shortNames?: readonly string[];
}

describe("the custom resource definitions of platform.plural.sh/v1alpha1", function () {
  this.timeout(120_000);
  const installed = new Lifecycle(provider);
  let kube: Cluster;
  let namespace: string;
  let workload: KubernetesObject;
  let groups = 0;

  before(async () => {
    kube = await cluster();
    namespace = await newNamespace(kube);
    workload = await kube.client.create(deploymentKind, {
      metadata: { namespace, name: "orders" },
      spec: {
        selector: { matchLabels: { app: "orders" } },
        template: {
          metadata: { labels: { app: "orders" } },
          spec: { containers: [{ name: "orders", image: "orders" }] },
        },
      },
    });
    await installed.create(inputsFor(defaultGroup));
  });

  const inputsFor = (group: string) => ({ kubernetes: kube.target, model: modelNameOf(group), owner });
  const read = (definition: CustomResourceDefinition) =>
    kube.client.get(customResourceDefinitionKind, { name: definition.metadata.name });

  /** One that no other test has definitions in. */
  function newGroup(): string {
    groups += 1;
    return `test-${process.pid}-${groups}.example.com`;
  }

  it("are what API discovery tells, with status where the controller writes it, and no short names [DEP-091]", async () => {
    const transport = await openTransport(kube.kubeconfig, undefined);
    const answer = await transport.send({
      method: "GET",
      path: `/apis/${defaultGroup}/v1alpha1`,
      about: { verb: "discover", kind: kinds.deployment, reference: { name: defaultGroup } },
    });
    const { resources } = answer as { resources: Discovered[] };
    const table = resources.map((resource) => [
      resource.name,
      resource.singularName,
      resource.kind,
      resource.namespaced ? "Namespaced" : "Cluster",
      resource.shortNames ?? [],
    ]);
    assert.deepEqual(table.sort(), [
      ["deploymentaccessclasses", "deploymentaccessclass", "DeploymentAccessClass", "Cluster", []],
      ["deploymentaccesses", "deploymentaccess", "DeploymentAccess", "Namespaced", []],
      ["deploymentaccesses/status", "", "DeploymentAccess", "Namespaced", []],
      ["deploymentclasses", "deploymentclass", "DeploymentClass", "Cluster", []],
      ["deploymentrequests", "deploymentrequest", "DeploymentRequest", "Namespaced", []],
      ["deploymentrequests/status", "", "DeploymentRequest", "Namespaced", []],
      ["deployments", "deployment", "Deployment", "Cluster", []],
      ["deployments/status", "", "Deployment", "Cluster", []],
    ]);
  });

  it("say what to show in a list [DEP-091]", async () => {
    const table = await Promise.all(
      definitionsFor(defaultGroup).map(async (definition) => {
        const { spec } = (await read(definition)) as CustomResourceDefinition;
        const columns = spec.versions[0]?.additionalPrinterColumns ?? [];
        return [spec.names.plural, columns.map(({ name }) => name).join(",")];
      }),
    );
    assert.deepEqual(table, [
      ["deployments", "Driver,Policy,Ready,Age"],
      ["deploymentclasses", "Driver,Policy,Age"],
      ["deploymentrequests", "Class,Deployment,Ready,Age"],
      ["deploymentaccesses", "Request,Secret,Granted,Age"],
      ["deploymentaccessclasses", "Driver,Authentication,Age"],
    ]);
  });

  for (const { what, kind, fields, rejects } of deploymentVerdicts) {
    it(`${rejects === undefined ? "take" : "reject"} a ${what} [DEP-091]`, async () => {
      const isNamespaced = ["DeploymentRequest", "DeploymentAccess"].includes(kind.kind);
      const metadata = { name: "x", ...(isNamespaced ? { namespace } : {}) };
      const created = kube.client.create(kind, { ...fields, metadata }, { dryRun: true });
      if (rejects === undefined) await assert.doesNotReject(created);
      else await assert.rejects(created, rejects);
    });
  }

  it("fill in the policy Retain [DEP-091]", async () => {
    const written = async (kind: KubernetesKind, fields: object) =>
      kube.client.create(kind, { ...fields, metadata: { name: "x" } }, { dryRun: true });
    assert.equal((await written(kinds.deploymentClass, { driverName: "d" }))["deletionPolicy"], "Retain");
    const { spec } = await written(kinds.deployment, { spec: { driverName: "d" } });
    assert.deepEqual(spec, { driverName: "d", deletionPolicy: "Retain" });
  });

  it("leave a Deployment of apps/v1 alone, of which a Deployment may have the name [DEP-091]", async () => {
    await kube.client.create(kinds.deployment, {
      metadata: { name: "orders" },
      spec: { driverName: "d" },
    });
    await kube.client.patchStatus(kinds.deployment, { name: "orders" }, { ready: true });
    const listed = await kube.client.list(deploymentKind, { namespace });
    assert.deepEqual(
      listed.map(({ metadata }) => metadata.name),
      ["orders"],
    );
    await kube.client.delete(kinds.deployment, { name: "orders" });
    assert.deepEqual(await kube.client.get(deploymentKind, { namespace, name: "orders" }), workload);
  });

  it("stay when the resource is deleted, unless it is to remove those that it made [DEP-091]", async () => {
    const group = newGroup();
    const definitions = definitionsFor(group);
    const { outputs } = await installed.create({ ...inputsFor(group), removeCrds: true });
    for (const definition of definitions) assert.ok(await read(definition), definition.metadata.name);
    await installed.delete({ ...outputs, removeCrds: false });
    for (const definition of definitions) assert.ok(await read(definition), definition.metadata.name);
    await installed.delete(outputs);
    for (const definition of definitions) assert.equal(await read(definition), undefined);
    // Those of the other group are nobody's but its own.
    for (const definition of definitionsFor(defaultGroup)) assert.ok(await read(definition));
  });

  describe("that are there already", () => {
    /** Creates a definition as the published API has it: other fields in the spec of its kind. */
    async function createPublished(
      group: string,
      kind: string,
      spec: object,
      status?: object,
    ): Promise<void> {
      const found = definitionsFor(group).find((definition) => definition.spec.names.kind === kind);
      assert.ok(found);
      const { metadata } = found;
      const versions = found.spec.versions.map((version) => ({
        ...version,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec, ...(status === undefined ? {} : { status }) },
          },
        },
      }));
      await kube.client.create(customResourceDefinitionKind, { metadata, spec: { ...found.spec, versions } });
    }
    const texts = (...names: string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    });

    it("and need fields for Git, or name an existing Deployment otherwise, are refused, and none is created", async () => {
      const cases: [string, object, object | undefined, RegExp][] = [
        [
          "Deployment",
          texts("pluralId", "repoUrl"),
          texts("databaseID"),
          /deployments\..* exists and has the field spec\.pluralId, like the one of the published API .* the input group/,
        ],
        [
          "Deployment",
          texts("driverName"),
          texts("databaseID"),
          /has no field status\.deploymentID, which the API server would drop/,
        ],
        [
          "DeploymentRequest",
          texts("existingBucketName"),
          undefined,
          /has the field spec\.existingBucketName/,
        ],
      ];
      for (const [kind, spec, status, message] of cases) {
        const group = newGroup();
        await createPublished(group, kind, spec, status);
        await assert.rejects(installed.create(inputsFor(group)), message);
        const [, absent] = definitionsFor(group);
        assert.ok(absent);
        assert.equal(await read(absent), undefined);
      }
    });

    it("and are those of this model are used as they are [DEP-091]", async () => {
      const group = newGroup();
      const [first] = definitionsFor(group);
      assert.ok(first);
      const { metadata, spec } = first;
      const created = await kube.client.create(customResourceDefinitionKind, { metadata, spec });
      const { outputs } = await installed.create({ ...inputsFor(group), removeCrds: true });
      assert.equal((outputs["created"] as string[]).length, 4);
      assert.equal((await read(first))?.metadata.uid, created.metadata.uid);
      await installed.delete(outputs);
      assert.ok(await read(first));
    });
  });
});
