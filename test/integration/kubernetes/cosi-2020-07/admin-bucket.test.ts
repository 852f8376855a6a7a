import assert from "node:assert/strict";
import { addFinalizers, removeFinalizers } from "../../../../provider/kubernetes/finalizers";
import { namespaceKind } from "../../../../provider/kubernetes/object";
import {
  ownerAnnotation,
  resourceAnnotation,
  stackIdAnnotation,
} from "../../../../provider/kubernetes/ownership";
import { provider } from "../../../../provider/models/cosi-2020-07/admin-bucket";
import { bind, unbind } from "../../../../provider/models/cosi-2020-07/bindings";
import { finalizer } from "../../../../provider/models/cosi-2020-07/kinds";
import { provisionerLabel } from "../../../../provider/models/cosi-proposals/provisioner-label";
import { setPhase } from "../../../../provider/models/cosi-2020-07/status";
import { Lifecycle, printed } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";
import { cluster, newNamespace, stackId, type Cluster } from "../cluster";
import { marks, owner, statusOf } from "../objects";
import { bucketSpec, installJuly, july, kinds, provisioner } from "./july";

const resource = "cosi:cosi20200708:Bucket::legacy";

describe("a Bucket of an admin (proposal of 2020-07-08)", function () {
  this.timeout(120_000);
  const buckets = new Lifecycle(provider);
  let kube: Cluster;
  /** The objects are of the cluster: each test has a name of its own. */
  let name: string;

  before(async () => {
    kube = await cluster();
    await installJuly(kube);
  });

  beforeEach(async () => {
    beginRun();
    name = await newNamespace(kube);
  });

  const inputsOf = (changes: object = {}) => ({
    kubernetes: kube.target,
    owner,
    resource,
    model: july,
    name,
    provisioner,
    anonymousAccessMode: "private",
    permittedNamespaces: [{ name }],
    protocol: "s3",
    protocolFields: { bucketName: "legacy", region: "eu-7" },
    ...changes,
  });

  const live = async () => {
    const found = await kube.client.get(kinds.bucket, { name });
    assert.ok(found);
    return { metadata: found.metadata, spec: found["spec"] as Record<string, unknown> };
  };

  const uidOfNamespace = async () => {
    const uid = (await kube.client.get(namespaceKind, { name }))?.metadata.uid;
    assert.ok(uid);
    return uid;
  };

  const entry = "bucketaccess-web-team-a:team-a/photos";

  /** What another stack writes when an access is bound. */
  async function bindTo(): Promise<void> {
    await bind(kube.client, kinds, name, entry);
    await setPhase(kube.client, kinds.bucket, { name }, { phase: "Bound" });
  }

  it("is written as the program has it, with the live UID of a namespace, and is released [K07-045] [K07-084]", async () => {
    const parameters = { tier: "hot" };
    const inputs = inputsOf({ labels: { team: "a" }, annotations: { note: "old" }, parameters });
    const { id } = await buckets.create(inputs);
    assert.equal(id, name);
    const { metadata, spec } = await live();
    assert.deepEqual(spec, {
      provisioner,
      releasePolicy: "Retain",
      anonymousAccessMode: "private",
      permittedNamespaces: [{ name, uid: await uidOfNamespace() }],
      protocol: { protocolSignature: "s3", s3: { bucketName: "legacy", region: "eu-7" } },
      parameters,
    });
    assert.deepEqual(metadata.labels, { team: "a" });
    assert.deepEqual(metadata.annotations, { note: "old", ...marks, [resourceAnnotation]: resource });
    assert.equal(metadata.finalizers, undefined);
    const status = (await statusOf(kube, kinds.bucket, { name })) as Record<string, unknown>;
    assert.equal(status["phase"], "Released");
  });

  it("has the mode of callers without credentials in its short form [K07-040]", async () => {
    for (const [given, stored] of [
      ["publicRead", "ro"],
      ["publicReadWrite", "rw"],
      ["wo", "wo"],
      [undefined, "private"],
    ] as const) {
      const own = `${name}-${stored}`;
      await buckets.create(inputsOf({ name: own, anonymousAccessMode: given ?? null, resource: own }));
      const found = await kube.client.get(kinds.bucket, { name: own });
      assert.equal((found?.["spec"] as Record<string, unknown>)["anonymousAccessMode"], stored);
    }
    const { failures } = await buckets.check({}, inputsOf({ anonymousAccessMode: "public" }));
    assert.deepEqual(failures, [
      'anonymousAccessMode is "public": give one of private, ro, wo, rw, publicRead, publicReadWrite',
    ]);
  });

  it("says that a changed mode is on the object only, in that run and in no other [K07-041]", async () => {
    const first = inputsOf();
    const { outputs } = await buckets.create(first);
    const { inputs } = await buckets.check({}, first);
    const second = inputsOf({ anonymousAccessMode: "ro" });
    const told = await printed(() => buckets.update({ ...outputs, ...inputs }, second));
    assert.deepEqual(told, [
      `warning: Bucket ${name}: anonymousAccessMode "ro" is written to the object only: no call tells the driver of it`,
    ]);
    assert.equal((await live()).spec["anonymousAccessMode"], "ro");
    beginRun();
    const checked = await buckets.check({}, second);
    assert.deepEqual(await printed(() => buckets.check(checked.inputs, second)), []);
  });

  it("names what is missing or wrong in the preview [K07-036]", async () => {
    const refused: [object, RegExp][] = [
      [{ provisioner: undefined }, /^provisioner is missing/],
      [{ provisioner: "rgw" }, /^provisioner is "rgw": a provisioner has the form/],
      [{ permittedNamespaces: undefined }, /^permittedNamespaces is missing/],
      [{ permittedNamespaces: [{ uid: "u" }] }, /^permittedNamespaces has \{"uid":"u"\}: give a list/],
      [{ permittedNamespaces: [{ name: "a.b" }] }, /^permittedNamespaces has a name that is "a\.b"/],
      [{ protocol: undefined }, /^protocol is missing/],
      [{ protocol: "swift" }, /^protocol is "swift": give one of azureBlob, gcs, s3/],
      [{ protocolFields: {} }, /^protocolFields has no bucketName/],
      [
        { protocol: "azureBlob" },
        /^protocolFields has bucketName, and the fields of azureBlob are: containerName/,
      ],
      [
        { protocolFields: { bucketName: "b", signatureVersion: "V3" } },
        /signatureVersion "V3": give one of V2, V4/,
      ],
      [
        { releasePolicy: "Delete" },
        /^releasePolicy is "Delete": a bucket that was there before is never deleted/,
      ],
      [{ labels: { [provisionerLabel]: "x" } }, /^labels has cosi\.io\/provisioner, which the package sets/],
      [{ annotations: { "pulumi-cosi/owner": "x" } }, /^annotations has pulumi-cosi\/owner/],
      [{ parameters: { size: 1 } }, /^parameters has a value that is not a string at the key "size"/],
      [{ parameters: { "cosi.io/provisioner-secret-name": "a" } }, /^parameters have .* without/],
      [{ name: "Legacy" }, /^name is "Legacy"/],
    ];
    for (const [changes, problem] of refused) {
      const { failures } = await buckets.check({}, inputsOf(changes));
      assert.match(failures.join("; "), problem);
    }
    const azure = inputsOf({ protocol: "AZUREBLOB", protocolFields: { containerName: "c" } });
    const { failures, inputs } = await buckets.check({}, azure);
    assert.deepEqual([failures, inputs["protocol"]], [[], "azureBlob"]);
  });

  it("is refused where a namespace has no UID to be permitted by, and nothing is written [K07-045]", async () => {
    const permittedNamespaces = [{ name }, { name: `${name}-gone` }];
    await assert.rejects(
      buckets.create(inputsOf({ permittedNamespaces })),
      new RegExp(`Bucket ${name} permits the namespace ${name}-gone, which does not exist`),
    );
    assert.equal(await kube.client.get(kinds.bucket, { name }), undefined);
  });

  it("keeps a UID that was looked up, and takes one that is given", async () => {
    const { outputs } = await buckets.create(inputsOf());
    const recorded = { ...outputs, permitted: [{ name, uid: "of-the-namespace-before" }] };
    const other = await newNamespace(kube);
    const permittedNamespaces = [{ name }, { name: other, uid: "given" }, { name: "default" }];
    const written = await buckets.update(recorded, inputsOf({ permittedNamespaces }));
    const { uid } = (await kube.client.get(namespaceKind, { name: "default" }))?.metadata ?? {};
    const expected = [
      { name, uid: "of-the-namespace-before" },
      { name: other, uid: "given" },
      { name: "default", uid },
    ];
    assert.deepEqual((await live()).spec["permittedNamespaces"], expected);
    assert.deepEqual(written["permitted"], expected);
  });

  it("is not taken over from somebody else, and two of one program have two names", async () => {
    await kube.client.create(kinds.bucket, { metadata: { name }, spec: bucketSpec });
    const before = await live();
    await assert.rejects(
      buckets.create(inputsOf()),
      new RegExp(`Bucket ${name} exists and was not made by pulumi-cosi; it stays as it is`),
    );
    assert.deepEqual(await live(), before);
    const { failures } = await buckets.check({}, inputsOf({ resource: "cosi:cosi20200708:Bucket::other" }));
    assert.match(
      failures.join(),
      /is written by the resource "cosi:cosi20200708:Bucket::legacy" of this program/,
    );
  });

  it("goes on with the object of a run that was killed", async () => {
    const annotations = { ...marks, [resourceAnnotation]: resource };
    await kube.client.create(kinds.bucket, { metadata: { name, annotations }, spec: bucketSpec });
    const { outputs } = await buckets.create(inputsOf());
    assert.deepEqual((await live()).spec["protocol"], {
      protocolSignature: "s3",
      s3: { bucketName: "legacy", region: "eu-7" },
    });
    const { inputs } = await buckets.check({}, inputsOf());
    assert.equal((await buckets.diff((await buckets.read(outputs)).outputs, inputs)).changes, false);
  });

  it("sees no change in what binding writes, and leaves it as it is [K07-087]", async () => {
    const { outputs } = await buckets.create(inputsOf());
    const { inputs } = await buckets.check({}, inputsOf());
    await bindTo();
    const seen = await buckets.read(outputs);
    assert.deepEqual(seen.outputs["drift"], []);
    assert.equal((await buckets.diff(seen.outputs, inputs)).changes, false);
    await buckets.update(seen.outputs, inputsOf({ labels: { team: "b" }, parameters: { tier: "cold" } }));
    const { metadata, spec } = await live();
    assert.deepEqual(spec["bindings"], [entry]);
    assert.deepEqual(spec["parameters"], { tier: "cold" });
    assert.deepEqual(metadata.finalizers, [finalizer]);
    assert.deepEqual(metadata.labels, { team: "b", [provisionerLabel]: "ceph-rgw-ceph-rgw.cosi.ceph.com" });
    assert.deepEqual(await statusOf(kube, kinds.bucket, { name }), { phase: "Bound" });
  });

  it("sees what was changed by hand, takes it back, and drops what the program leaves out now", async () => {
    const labels = { team: "a", tier: "hot" };
    const parameters = { tier: "hot", size: "big" };
    const { outputs } = await buckets.create(inputsOf({ labels, parameters }));
    await kube.client.patch(
      kinds.bucket,
      { name },
      {
        metadata: { labels: { team: "z", theirs: "x" } },
        spec: {
          releasePolicy: "Delete",
          permittedNamespaces: [],
          parameters: { colour: "red", tier: "cold" },
          protocol: { s3: { region: "us-1", endpoint: "https://s3" } },
        },
      },
    );
    const seen = await buckets.read(outputs);
    assert.deepEqual(seen.outputs["drift"], [
      'spec.releasePolicy is "Delete", written was "Retain"',
      "protocol field region was changed",
      "protocol field endpoint was added",
      "parameter tier was changed",
      "parameter colour was added",
      "spec.permittedNamespaces has changed",
      "label team was changed",
    ]);
    const left = inputsOf({ labels: { team: "a" }, parameters: { tier: "hot" } });
    assert.equal((await buckets.diff(seen.outputs, left)).changes, true);
    await buckets.update(seen.outputs, left);
    const { metadata, spec } = await live();
    assert.deepEqual(metadata.labels, { team: "a", theirs: "x" });
    assert.deepEqual(spec["parameters"], { tier: "hot" });
    assert.equal(spec["releasePolicy"], "Retain");
    assert.deepEqual(spec["protocol"], {
      protocolSignature: "s3",
      s3: { bucketName: "legacy", region: "eu-7" },
    });
  });

  it("is another one with another name, provisioner, protocol or bucket, and the same with the rest changed", async () => {
    const { outputs } = await buckets.create(inputsOf());
    const replaces = async (changes: object) => {
      const { inputs } = await buckets.check({}, inputsOf(changes));
      return (await buckets.diff(outputs, inputs)).replaces;
    };
    assert.deepEqual(await replaces({ name: "other" }), ["name"]);
    assert.deepEqual(await replaces({ provisioner: "ceph-rgw/other" }), ["provisioner"]);
    assert.deepEqual(await replaces({ protocol: "gcs", protocolFields: { bucketName: "legacy" } }), [
      "protocol",
    ]);
    assert.deepEqual(await replaces({ protocolFields: { bucketName: "other" } }), ["protocolFields"]);
    assert.deepEqual(
      await replaces({ protocolFields: { bucketName: "legacy" }, parameters: { a: "b" } }),
      [],
    );
  });

  it("is told by a refresh to be gone, somebody else's, or in deletion", async () => {
    const { outputs } = await buckets.create(inputsOf());
    await addFinalizers(kube.client, kinds.bucket, { name }, undefined, ["example.com/hold"]);
    await kube.client.delete(kinds.bucket, { name });
    const told = await printed(() => buckets.read(outputs));
    assert.match(
      told.join(),
      new RegExp(`warning: Bucket ${name}: is being deleted since .* held by example\\.com/hold`),
    );
    await assert.rejects(buckets.update(outputs, inputsOf({ labels: { a: "b" } })), /is being deleted since/);
    await removeFinalizers(kube.client, kinds.bucket, { name }, undefined, ["example.com/hold"]);
    assert.deepEqual((await buckets.read(outputs)).outputs, {});
    await kube.client.create(kinds.bucket, { metadata: { name }, spec: bucketSpec });
    let seen = outputs;
    const foreign = await printed(async () => {
      seen = (await buckets.read(outputs)).outputs;
    });
    assert.match(foreign.join(), /is not the one of this stack any more; it stays, and the next up stops/);
    assert.deepEqual(seen["drift"], ["the object of this name is not the one of this stack any more"]);
    await assert.rejects(buckets.update(seen, inputsOf()), /exists and was not made by pulumi-cosi/);
    const kept = await printed(() => buckets.delete(seen));
    assert.deepEqual(kept, [`warning: Bucket ${name}: is not that of this stack, so it stays`]);
    assert.ok(await kube.client.get(kinds.bucket, { name }));
  });

  describe("whose marks somebody has taken off", () => {
    const strip = () =>
      kube.client.patch(
        kinds.bucket,
        { name },
        { metadata: { annotations: { [ownerAnnotation]: null, [stackIdAnnotation]: null } } },
      );

    it("gets them back, as a refresh tells, and goes without them", async () => {
      const { outputs } = await buckets.create(inputsOf());
      const { metadata } = await live();
      assert.equal(outputs["uid"], metadata.uid);
      await strip();
      const seen = (await buckets.read(outputs)).outputs;
      assert.deepEqual(seen["drift"], [
        `annotation ${ownerAnnotation} is missing`,
        `annotation ${stackIdAnnotation} is missing`,
      ]);
      const mended = await buckets.update(seen, inputsOf());
      assert.deepEqual((await live()).metadata.annotations, metadata.annotations);
      await strip();
      await buckets.delete(mended);
      assert.equal(await kube.client.get(kinds.bucket, { name }), undefined);
    });

    it("stays, with a warning, where a state of an earlier release has no UID, which a refresh gives it", async () => {
      const { outputs } = await buckets.create(inputsOf());
      const earlier = { ...outputs, uid: undefined };
      const refreshed = (await buckets.read(earlier)).outputs;
      assert.equal(refreshed["uid"], outputs["uid"]);
      await strip();
      const kept = await printed(() => buckets.delete(earlier));
      assert.deepEqual(kept, [`warning: Bucket ${name}: is not that of this stack, so it stays`]);
      await buckets.delete(refreshed);
      assert.equal(await kube.client.get(kinds.bucket, { name }), undefined);
    });
  });

  it("does not go while an access is bound or under way, and then goes without the bucket [K07-099]", async () => {
    const { outputs } = await buckets.create(inputsOf());
    await bindTo();
    await assert.rejects(
      buckets.delete(outputs),
      new RegExp(`Bucket ${name} is still bound: ${entry}; nothing was deleted\\. Next: delete the`),
    );
    await unbind(kube.client, kinds, name, entry);
    await assert.rejects(
      buckets.delete(outputs),
      /has cosi\.io\/finalizer: an access to it is being granted or revoked/,
    );
    const { metadata } = await live();
    assert.equal(metadata.deletionTimestamp, undefined);
    await removeFinalizers(kube.client, kinds.bucket, { name }, undefined, [finalizer]);
    await kube.client.patch(kinds.bucket, { name }, { spec: { releasePolicy: "Delete" } });
    const told = await printed(() => buckets.delete(outputs));
    assert.equal(await kube.client.get(kinds.bucket, { name }), undefined);
    assert.deepEqual(told, [
      `warning: Bucket ${name}: is deleted, and the backend's bucket "legacy" of ${provisioner} stays with its data: ` +
        "it was there before",
    ]);
    assert.deepEqual(await printed(() => buckets.delete(outputs)), []);
  });

  it("keeps the marks of its stack under another name of the stack", async () => {
    const { outputs } = await buckets.create(inputsOf());
    await buckets.update(outputs, inputsOf({ owner: "organization/shop/renamed" }));
    const { annotations = {} } = (await live()).metadata;
    assert.equal(annotations["pulumi-cosi/owner"], "organization/shop/renamed");
    assert.equal(annotations["pulumi-cosi/stack-id"], stackId);
  });
});
