import assert from "node:assert/strict";
import { resourceAnnotation } from "../../../../provider/kubernetes/ownership";
import { provider } from "../../../../provider/models/cosi-2020-07/default-class";
import { Lifecycle } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";
import { cluster, newNamespace, type Cluster } from "../cluster";
import { marks, owner } from "../objects";
import { installJuly, july, kinds, provisioner } from "./july";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("the default BucketClass of a protocol", function () {
  this.timeout(120_000);
  const guards = new Lifecycle(provider);
  let kube: Cluster;
  let prefix: string;

  before(async () => {
    kube = await cluster();
    await installJuly(kube);
  });

  /** Other tests of the same cluster have default classes too. */
  async function clear(): Promise<void> {
    for (const { metadata } of await kube.client.list(kinds.bucketClass)) {
      await kube.client.delete(kinds.bucketClass, metadata);
    }
  }

  beforeEach(async () => {
    beginRun();
    await clear();
    prefix = await newNamespace(kube);
  });

  after(clear);

  const makeClass = (name: string, fields: object, annotations: Record<string, string> = {}) =>
    kube.client.create(kinds.bucketClass, {
      metadata: { name: `${prefix}-${name}`, annotations },
      provisioner,
      protocol: "s3",
      ...fields,
    });

  const guardOf = (name: string, changes: object = {}) => ({
    kubernetes: kube.target,
    owner,
    resource: `cosi:cosi20200708:BucketClass::${name}`,
    model: july,
    className: `${prefix}-${name}`,
    protocol: "s3",
    isDefault: true,
    ...changes,
  });

  it("is one: a second one is refused in the preview of one program, else before it is written [K07-052]", async () => {
    const silver = await makeClass("silver", {});
    assert.equal(silver["isDefaultBucketClass"], false);
    const { failures: none } = await guards.check({}, guardOf("gold"));
    assert.deepEqual(none, []);
    const { failures } = await guards.check({}, guardOf("other"));
    assert.deepEqual(failures, [
      `isDefaultBucketClass is true, and the BucketClass ${prefix}-gold of this program is the default one for protocol ` +
        '"s3" already: set it for one of them',
    ]);
    beginRun();
    await makeClass("theirs", { isDefaultBucketClass: true });
    await assert.rejects(
      guards.create(guardOf("gold")),
      new RegExp(
        `BucketClass ${prefix}-gold: isDefaultBucketClass is true, and the cluster has a default class for protocol ` +
          `"s3" already: ${prefix}-theirs; nothing was written`,
      ),
    );
  });

  it("is another one for each protocol, cluster and group, whatever the case of the protocol", async () => {
    await makeClass("blobs", { isDefaultBucketClass: true, protocol: "azureblob" });
    await guards.create(guardOf("gold"));
    for (const changes of [{ protocol: "gcs" }, { model: "cosi-2020-07:july.cosi.io" }]) {
      const { failures } = await guards.check({}, guardOf("other", changes));
      assert.deepEqual(failures, []);
    }
    await assert.rejects(
      guards.create(guardOf("azure", { protocol: "azureBlob" })),
      new RegExp(`already: ${prefix}-blobs;`),
    );
  });

  it("may be written again, by the same class, and by one that is replaced or renamed", async () => {
    const { resource } = guardOf("gold");
    await makeClass("gold", { isDefaultBucketClass: true }, { ...marks, [resourceAnnotation]: resource });
    const { outputs } = await guards.create(guardOf("gold"));
    const { inputs } = await guards.check({}, guardOf("gold"));
    assert.equal((await guards.diff(outputs, inputs)).changes, false);
    await guards.update(outputs, { ...guardOf("gold"), className: `${prefix}-golden` });
    beginRun();
    await guards.create({ ...guardOf("gold"), className: `${prefix}-golden` });
  });

  it("is looked up when a class becomes one, and not before", async () => {
    await makeClass("theirs", { isDefaultBucketClass: true });
    const { outputs } = await guards.create(guardOf("gold", { isDefault: false }));
    await assert.rejects(guards.update(outputs, guardOf("gold")), new RegExp(`already: ${prefix}-theirs;`));
    await guards.update(
      { ...outputs, isDefault: true },
      guardOf("gold", { owner: "organization/shop/renamed" }),
    );
  });

  it("is refused as soon as it is known, where a preview does not know it", async () => {
    assert.deepEqual((await guards.check({}, guardOf("gold", { isDefault: unknown }))).failures, []);
    const { outputs } = await guards.create(guardOf("silver", { isDefault: false }));
    assert.equal((await guards.diff(outputs, guardOf("silver", { isDefault: unknown }))).changes, true);
    await guards.create(guardOf("gold"));
    // Two kubeconfigs of one cluster are told to be so by the server that answers.
    const context = (JSON.parse(kube.kubeconfig) as { "current-context": string })["current-context"];
    const kubernetes = { ...kube.target, context };
    await assert.rejects(
      guards.create(guardOf("other", { kubernetes })),
      new RegExp(
        `BucketClass ${prefix}-other: isDefaultBucketClass is true, and the BucketClass ${prefix}-gold of this`,
      ),
    );
  });

  it("shows no change after a refresh, and has nothing to delete", async () => {
    const { outputs } = await guards.create(guardOf("gold"));
    const { inputs } = await guards.check({}, guardOf("gold"));
    const seen = await guards.read(outputs);
    assert.equal((await guards.diff(seen.outputs, inputs)).changes, false);
    assert.equal((await guards.diff(outputs, seen.inputs)).changes, false);
    await guards.delete(seen.outputs);
  });
});
