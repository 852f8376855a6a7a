import assert from "node:assert/strict";
import { provider } from "../../../provider/kubernetes/deletion-guard";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import { bucketClassKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Lifecycle } from "../../support/lifecycle";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { installDefinitions, marks, owner } from "./objects";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("the guard of an object's deletion", function () {
  this.timeout(120_000);
  const guard = new Lifecycle(provider);
  let kube: Cluster;
  let name: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    name = await newNamespace(kube);
  });

  const newClass = async (annotations: Record<string, string> = marks) => {
    const fields = { driverName: "cosi.example.com", deletionPolicy: "Retain" };
    const { metadata } = await kube.client.create(bucketClassKind, {
      metadata: { name, annotations },
      ...fields,
    });
    return metadata.uid;
  };
  const inputsFor = (uid: string | undefined) => ({
    kubernetes: kube.target,
    kind: bucketClassKind,
    object: { name, uid },
    owner,
  });

  it("lets ours go, one of ours that came in its place, and one that is gone", async () => {
    const { outputs } = await guard.create(inputsFor(await newClass()));
    await guard.delete(outputs);
    await kube.client.delete(bucketClassKind, { name });
    await guard.delete(outputs);
    await newClass();
    await guard.delete(outputs);
  });

  it("stops before what somebody else made in its place", async () => {
    const { outputs } = await guard.create(inputsFor(await newClass()));
    await kube.client.delete(bucketClassKind, { name });
    await newClass({});
    const { outputs: seen } = await guard.read(outputs);
    await assert.rejects(
      guard.delete(seen),
      new RegExp(`BucketClass ${name} is not the one of this stack.*it stays as it is.*Next: delete it`),
    );
  });

  for (const [whose, annotations, told] of [
    [
      "a stack of that name in another state",
      { ...marks, [stackIdAnnotation]: "another" },
      "that has another state",
    ],
    [
      "another stack of this state, such as a copy",
      { ...marks, [ownerAnnotation]: "organization/shop/copy" },
      "copy",
    ],
  ] as const) {
    it(`stops before what ${whose} made in its place, and before ours that it has marked; it does not say to delete it`, async () => {
      const { outputs } = await guard.create(inputsFor(await newClass()));
      const refused = async (): Promise<void> => {
        await assert.rejects(guard.delete(outputs), ({ message }: Error) => {
          assert.match(
            message,
            /^BucketClass \S+ belongs to .*; nothing was sent for it, and it stays as it is\. Next: if that stack has it now, .*pulumi state delete.*pulumi stack rm --force, never with pulumi destroy/,
          );
          assert.ok(message.includes(told), message);
          assert.doesNotMatch(message, /delete it/);
          return true;
        });
      };
      await kube.client.patch(bucketClassKind, { name }, { metadata: { annotations } });
      await refused();
      await kube.client.delete(bucketClassKind, { name });
      await newClass(annotations);
      await refused();
    });
  }

  it("lets ours go from which somebody took the marks, and ours of a state that has no stack recorded", async () => {
    const { outputs } = await guard.create(inputsFor(await newClass({})));
    await guard.delete(outputs);
    await kube.client.patch(bucketClassKind, { name }, { metadata: { annotations: marks } });
    await guard.delete({ ...outputs, owner: "", kubernetes: { kubeconfig: kube.target.kubeconfig } });
  });

  it("goes with an object that will be replaced, and before it; an absent UID says nothing", async () => {
    const inputs = inputsFor(await newClass());
    const { outputs } = await guard.create(inputs);
    const plan = async (object: object) =>
      guard.diff(outputs, (await guard.check(inputs, { ...inputs, object })).inputs);
    for (const object of [
      { name, uid: "another" },
      { name, uid: unknown },
      { name: unknown, uid: unknown },
    ]) {
      const { replaces, deleteBeforeReplace } = await plan(object);
      assert.deepEqual([replaces, deleteBeforeReplace], [["object"], true]);
    }
    assert.equal((await plan({ name })).changes, false);
    const renamed = { ...inputs, owner: "organization/shop/renamed" };
    assert.deepEqual(await guard.diff(outputs, renamed), {
      changes: true,
      replaces: [],
      deleteBeforeReplace: true,
    });
    assert.equal((await guard.update(outputs, renamed))["owner"], "organization/shop/renamed");
  });
});
