import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { addFinalizers, removeFinalizers } from "../../../provider/kubernetes/finalizers";
import {
  ownerAnnotation,
  resourceAnnotation,
  stackIdAnnotation,
} from "../../../provider/kubernetes/ownership";
import { createSentAnnotation } from "../../../provider/models/claimed/annotations";
import { provider } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { failedResource, Lifecycle, printed, wire } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { removeByHand } from "../../support/workflows/by-hand";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { createOwned, finalizersOf, installDefinitions, owner, statusOf } from "./objects";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const gold = {
  name: "gold",
  driverName: "cosi.example.com",
  deletionPolicy: "Delete",
  parameters: { tier: "hot" },
};

type Claim = Awaited<ReturnType<typeof createOwned>>["metadata"] & { namespace: string };

/** What a test gives otherwise than the others. */
interface Changes {
  claim?: Pick<Claim, "namespace" | "name" | "uid">;
  bucketNameFormat?: string;
}

describe("the binding of a claim to its Bucket", function () {
  this.timeout(120_000);
  const binding = new Lifecycle(provider);
  let kube: Cluster;
  let namespace: string;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    namespace = await newNamespace(kube);
  });

  async function newClaim(name = "photos", annotations?: Record<string, string>) {
    const created = await createOwned(kube, bucketClaimKind, {
      namespace,
      name,
      spec: { protocols: ["S3"] },
      ...(annotations === undefined ? {} : { annotations }),
    });
    return { namespace, name, uid: created.metadata.uid };
  }

  async function inputsFor({ claim: given, ...changes }: Changes = {}) {
    return {
      kubernetes: kube.target,
      owner,
      resource: "photos",
      claim: given ?? (await newClaim()),
      bucketClass: gold,
      bucketFields: { deletionPolicy: "Delete", protocols: ["S3"] },
      bucketNameFormat: "v0.2.2",
      ...changes,
    };
  }

  it("names the Bucket after the claim's UID, and protects the claim", async () => {
    const inputs = await inputsFor();
    const { id } = await binding.create(inputs);
    assert.equal(id, `bucket-${inputs.claim.uid}`);
    assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), [finalizers.claim]);
  });

  it("can name the Bucket as COSI v0.2.0 did, with class names that leave room [OS1-031]", async () => {
    const inputs = await inputsFor({ bucketNameFormat: "v0.2.0" });
    const { id } = await binding.create(inputs);
    assert.equal(id, `gold${inputs.claim.uid}`);
    const long = { ...gold, name: "a".repeat(28) };
    const { failures } = await binding.check({}, { ...inputs, bucketClass: long });
    assert.match(failures.join(), /bucketNameFormat is "v0\.2\.0".*has 28 characters, and at most 27 fit/);
    const named = await inputsFor({ claim: await newClaim("named"), bucketNameFormat: "v0.2.0" });
    await kube.client.patchStatus(bucketClaimKind, named.claim, {
      bucketName: "bucket-kept",
      bucketReady: false,
    });
    assert.equal((await binding.create(named)).id, "bucket-kept");
  });

  it("stops at a Bucket of that name that somebody else made, and leaves the claim alone", async () => {
    const inputs = await inputsFor();
    const name = `bucket-${inputs.claim.uid}`;
    const spec = { driverName: "d", bucketClassName: "c", bucketClaim: {}, protocols: ["S3"] };
    await createOwned(kube, bucketKind, { name, spec, annotations: {} });
    await assert.rejects(
      binding.create(inputs),
      new RegExp(`Bucket ${name} exists and was not made by pulumi-cosi`),
    );
    assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), []);
  });

  it("stops at a claim that is not this stack's", async () => {
    for (const [name, annotations, text] of [
      ["nobodys", {}, /nobodys exists and was not made by pulumi-cosi; it stays as it is/],
      [
        "theirs",
        { [ownerAnnotation]: "organization/shop/other" },
        /belongs to the stack organization\/shop\/other/,
      ],
    ] as const) {
      const claim = await newClaim(name, annotations);
      await assert.rejects(binding.create(await inputsFor({ claim })), text);
    }
  });

  it("lets go of the claim, and of one that is gone", async () => {
    const inputs = await inputsFor();
    const { outputs } = await binding.create(inputs);
    await kube.client.delete(bucketClaimKind, inputs.claim);
    await binding.delete(outputs);
    assert.equal(await kube.client.get(bucketClaimKind, inputs.claim), undefined);
    await binding.delete(outputs);
  });

  it("lets go of a claim whose deletion the finalizer of a run that was killed holds up", async () => {
    const inputs = await inputsFor();
    await binding.create(inputs);
    await kube.client.delete(bucketClaimKind, inputs.claim);
    const failed = await failedResource(binding.create(inputs));
    assert.match(
      failed.message,
      /is being deleted since .*, and held by .*bucketclaim-protection, .*`pulumi destroy`/,
    );
    assert.equal(failed.id, `bucket-${inputs.claim.uid}`);
    await binding.delete(wire(failed.properties));
    assert.equal(await kube.client.get(bucketClaimKind, inputs.claim), undefined);
  });

  it("keeps what the claim took from its class while the class name stays [OS1-011]", async () => {
    const olds = await inputsFor();
    const edited = { ...gold, deletionPolicy: "Retain", parameters: { tier: "cold" } };
    const { inputs } = await binding.check(olds, { ...olds, bucketClass: edited });
    assert.deepEqual(inputs["bucketClass"], gold);
    const { outputs } = await binding.create(olds);
    assert.equal((await binding.diff(outputs, inputs)).changes, false);
    const silver = { ...edited, name: "silver" };
    const moved = await binding.check(olds, { ...olds, bucketClass: silver });
    assert.deepEqual(moved.inputs["bucketClass"], silver);
    assert.deepEqual((await binding.diff(outputs, moved.inputs)).replaces, ["bucketClass"]);
  });

  it("is replaced with its claim, known or not, and says nothing of an absent UID", async () => {
    const inputs = await inputsFor();
    const { outputs } = await binding.create(inputs);
    const replaces = async (uid: string | undefined) => {
      const news = { ...inputs, claim: { ...inputs.claim, uid } };
      return (await binding.diff(outputs, (await binding.check(inputs, news)).inputs)).replaces;
    };
    assert.deepEqual(await replaces("another"), ["claim"]);
    assert.deepEqual(await replaces(unknown), ["claim"]);
    assert.deepEqual(await replaces(undefined), []);
  });

  it("sees in a refresh that the finalizer is gone, and restores it", async () => {
    const inputs = await inputsFor();
    const { outputs } = await binding.create(inputs);
    assert.equal((await binding.diff((await binding.read(outputs)).outputs, inputs)).changes, false);
    await removeFinalizers(kube.client, bucketClaimKind, inputs.claim, undefined, [finalizers.claim]);
    const seen = await binding.read(outputs);
    assert.deepEqual(seen.outputs["drift"], [`BucketClaim's finalizer ${finalizers.claim} is missing`]);
    assert.equal((await binding.diff(seen.outputs, inputs)).changes, true);
    await binding.update(seen.outputs, inputs);
    assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), [finalizers.claim]);
  });

  describe("writes the Bucket object", () => {
    const bucketOf = async (id: string) => {
      const found = await kube.client.get(bucketKind, { name: id });
      assert.ok(found !== undefined, `${id} is there`);
      return found;
    };
    /** As somebody does by force: its finalizer first. */
    const removeBucket = async (id: string) => {
      await removeFinalizers(kube.client, bucketKind, { name: id }, undefined, [finalizers.bucket]);
      await kube.client.delete(bucketKind, { name: id });
    };

    it("from claim and class, as this stack's, held by its finalizer, and tells its UID [OS1-021]", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      const { spec, metadata } = await bucketOf(id);
      assert.deepEqual(spec, {
        driverName: "cosi.example.com",
        deletionPolicy: "Delete",
        bucketClassName: "gold",
        bucketClaim: inputs.claim,
        protocols: ["S3"],
        parameters: { tier: "hot" },
      });
      const { annotations = {} } = metadata;
      assert.deepEqual([annotations[ownerAnnotation], annotations[resourceAnnotation]], [owner, "photos"]);
      assert.equal(outputs["bucketUid"], metadata.uid);
      assert.deepEqual(metadata.finalizers, [finalizers.bucket]);
    });

    it("with the policy of the time when it was made, which the bucket's own resource changes", async () => {
      const olds = await inputsFor();
      const { id, outputs } = await binding.create(olds);
      const bucketFields = { deletionPolicy: "Retain", protocols: ["S3"] };
      const { inputs } = await binding.check(olds, { ...olds, bucketFields });
      assert.deepEqual(inputs["bucketFields"], olds.bucketFields);
      await kube.client.patch(bucketKind, { name: id }, { spec: { deletionPolicy: "Retain" } });
      const seen = await binding.read(outputs);
      assert.deepEqual(seen.outputs["drift"], []);
      await binding.update(seen.outputs, { ...olds, owner: "organization/shop/renamed" });
      const { spec, metadata } = await bucketOf(id);
      assert.equal(Reflect.get(Object(spec), "deletionPolicy"), "Retain");
      assert.equal(metadata.annotations?.[ownerAnnotation], "organization/shop/renamed");
    });

    it("of a run that was killed again, as it is", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      const before = await bucketOf(id);
      assert.equal((await binding.create(inputs)).outputs["bucketUid"], outputs["bucketUid"]);
      assert.equal((await bucketOf(id)).metadata.resourceVersion, before.metadata.resourceVersion);
    });

    it("anew where somebody has deleted or changed it, as a refresh tells", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      await kube.client.patch(bucketKind, { name: id }, { spec: { bucketClassName: "silver" } });
      const changed = await binding.read(outputs);
      assert.deepEqual(changed.outputs["drift"], ["Bucket's spec.bucketClassName was changed"]);
      assert.equal((await binding.diff(changed.outputs, inputs)).changes, true);
      await binding.update(changed.outputs, inputs);
      assert.equal(Reflect.get(Object((await bucketOf(id))["spec"]), "bucketClassName"), "gold");
      await removeBucket(id);
      const gone = await binding.read(outputs);
      assert.deepEqual(gone.outputs["drift"], [`Bucket ${id} is missing`]);
      const mended = await binding.update(gone.outputs, inputs);
      const { uid } = (await bucketOf(id)).metadata;
      assert.equal(mended["bucketUid"], uid);
      assert.notEqual(uid, outputs["bucketUid"]);
    });

    it("and deletes it before it lets go of the claim", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      const reference = { name: id };
      const { uid } = (await bucketOf(id)).metadata;
      await addFinalizers(kube.client, bucketKind, reference, uid, ["example.com/held"]);
      const deleted = binding.delete(outputs);
      while ((await bucketOf(id)).metadata.deletionTimestamp === undefined) await pause(20);
      assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), [finalizers.claim]);
      await removeFinalizers(kube.client, bucketKind, reference, uid, ["example.com/held"]);
      await deleted;
      assert.equal(await kube.client.get(bucketKind, reference), undefined);
      assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), []);
    });

    for (const [title, isThere] of [
      ["is gone", false],
      ["another one of ours has the name of", true],
    ] as const) {
      it(`and deletes it after a refresh that saw that its claim ${title}`, async () => {
        const inputs = await inputsFor();
        const { id, outputs } = await binding.create(inputs);
        await removeByHand(kube.client, bucketClaimKind, inputs.claim);
        if (isThere) await newClaim();
        const seen = await binding.read(outputs);
        const drift = isThere ? "of this name is not the one of this stack" : "is gone";
        assert.deepEqual(seen.outputs["drift"], [`the BucketClaim ${drift}`]);
        await removeFinalizers(kube.client, bucketKind, { name: id }, undefined, [finalizers.bucket]);
        await binding.delete(seen.outputs);
        assert.equal(await kube.client.get(bucketKind, { name: id }), undefined);
        assert.equal((await kube.client.get(bucketClaimKind, inputs.claim)) !== undefined, isThere);
      });
    }

    it("and does not let go of one whose bucket a run that was killed may have made", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      const annotations = { [createSentAnnotation]: "sent" };
      await kube.client.patch(bucketKind, { name: id }, { metadata: { annotations } });
      await assert.rejects(
        binding.delete(outputs),
        /^RefusedError: Bucket \S+ may have its bucket in the backend .* nothing was deleted\. Next: run `pulumi up` first/,
      );
      const { deletionTimestamp, finalizers: present } = (await bucketOf(id)).metadata;
      assert.deepEqual([deletionTimestamp, present], [undefined, [finalizers.bucket]]);
      await removeFinalizers(kube.client, bucketKind, { name: id }, undefined, [finalizers.bucket]);
      await binding.delete(outputs);
      assert.equal(await kube.client.get(bucketKind, { name: id }), undefined);
    });

    describe("whose marks somebody has taken off", () => {
      const marks = [ownerAnnotation, stackIdAnnotation, resourceAnnotation];
      const strip = (name: string) =>
        kube.client.patch(
          bucketKind,
          { name },
          { metadata: { annotations: Object.fromEntries(marks.map((key) => [key, null])) } },
        );

      it("and gives them back, as a refresh tells", async () => {
        const inputs = await inputsFor();
        const { id, outputs } = await binding.create(inputs);
        const before = await bucketOf(id);
        await strip(id);
        const seen = await binding.read(outputs);
        assert.deepEqual(
          seen.outputs["drift"],
          marks.map((key) => `Bucket's annotation ${key} is missing`),
        );
        assert.equal((await binding.diff(seen.outputs, inputs)).changes, true);
        await binding.update(seen.outputs, inputs);
        const { metadata } = await bucketOf(id);
        assert.equal(metadata.uid, before.metadata.uid);
        assert.deepEqual(metadata.annotations, before.metadata.annotations);
      });

      it("and deletes it all the same", async () => {
        const { id, outputs } = await binding.create(await inputsFor());
        await strip(id);
        await binding.delete(outputs);
        assert.equal(await kube.client.get(bucketKind, { name: id }), undefined);
      });

      it("and says that it stays where no UID was recorded, or another stack has marked it", async () => {
        const { id, outputs } = await binding.create(await inputsFor());
        await strip(id);
        const stays = `warning: Bucket ${id}: is not the one of this stack, so it stays`;
        assert.deepEqual(await printed(() => binding.delete({ ...outputs, bucketUid: null })), [stays]);
        beginRun();
        const annotations = { [ownerAnnotation]: "organization/shop/other" };
        await kube.client.patch(bucketKind, { name: id }, { metadata: { annotations } });
        assert.deepEqual(await printed(() => binding.delete(outputs)), [stays]);
        await bucketOf(id);
      });
    });

    it("and leaves alone what somebody else has put in its place", async () => {
      const inputs = await inputsFor();
      const { id, outputs } = await binding.create(inputs);
      await removeBucket(id);
      const spec = { driverName: "d", bucketClassName: "c", bucketClaim: {}, protocols: ["S3"] };
      const foreign = await createOwned(kube, bucketKind, { name: id, spec, annotations: {} });
      const seen = await binding.read(outputs);
      assert.deepEqual(seen.outputs["drift"], [`Bucket ${id} is not the one of this stack any more`]);
      await assert.rejects(
        binding.update(seen.outputs, inputs),
        /was not made by pulumi-cosi; it stays as it is/,
      );
      await binding.delete(outputs);
      assert.equal((await bucketOf(id)).metadata.resourceVersion, foreign.metadata.resourceVersion);
    });
  });

  describe("that is static", () => {
    async function newBucket(bucketClaim: object, ready = true) {
      const name = `archive-${namespace}`;
      await createOwned(kube, bucketKind, {
        name,
        spec: {
          driverName: "d",
          bucketClassName: "gold",
          protocols: ["S3"],
          existingBucketID: "archive",
          bucketClaim,
        },
      });
      if (ready)
        await kube.client.patchStatus(bucketKind, { name }, { bucketReady: true, bucketID: "archive" });
      return name;
    }

    const inputsOf = async (existingBucketName: string, claim?: Changes["claim"]) => {
      const inputs = await inputsFor(claim === undefined ? {} : { claim });
      return { ...inputs, bucketClass: null, bucketFields: null, existingBucketName };
    };

    it("says that the claim is ready, under the Bucket that it names", async () => {
      const name = await newBucket({ namespace, name: "photos" });
      const inputs = await inputsOf(name);
      assert.equal((await binding.create(inputs)).id, name);
      assert.deepEqual(await statusOf(kube, bucketClaimKind, inputs.claim), {
        bucketName: name,
        bucketReady: true,
      });
    });

    it("refuses a Bucket that is for another claim, by name or by UID [OS1-058]", async () => {
      const bucket = await newBucket({ namespace, name: "photos", uid: "another" });
      const before = await kube.client.get(bucketKind, { name: bucket });
      await assert.rejects(
        binding.create(await inputsOf(bucket)),
        /is for BucketClaim .*photos \(UID another\)/,
      );
      const after = await kube.client.get(bucketKind, { name: bucket });
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
    });

    it("gives a Bucket that names no claim to the first that comes, until that goes [OS1-058] [CASE-C24]", async () => {
      const bucket = await newBucket({});
      const spec = async () => (await kube.client.get(bucketKind, { name: bucket }))?.["spec"];
      const before = await spec();
      const first = await inputsOf(bucket);
      const { outputs } = await binding.create(first);
      const second = await inputsOf(bucket, await newClaim("second"));
      await assert.rejects(
        binding.create(second),
        new RegExp(`is for BucketClaim ${namespace}/photos/${first.claim.uid}`),
      );
      assert.deepEqual(await spec(), before);
      await binding.delete(outputs);
      await binding.create(second);
    });

    it("keeps its claim while an access of somebody else uses it, and names it [OS1-072]", async () => {
      const inputs = await inputsOf(await newBucket({}));
      const { outputs } = await binding.create(inputs);
      const spec = { bucketClaimName: "photos", bucketAccessClassName: "c", credentialsSecretName: "s" };
      await createOwned(kube, bucketAccessKind, { namespace, name: "ours", spec });
      const theirs = { namespace, name: "theirs" };
      await createOwned(kube, bucketAccessKind, { ...theirs, spec, annotations: {} });
      await assert.rejects(
        binding.delete(outputs),
        new RegExp(
          `is used by BucketAccess ${namespace}/theirs, which this stack did not make; the claim stays`,
        ),
      );
      assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), [finalizers.claim]);
      await kube.client.delete(bucketAccessKind, theirs);
      await binding.delete(outputs);
      assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), []);
    });

    it("waits for no Bucket that is not ready", async () => {
      const bucket = await newBucket({}, false);
      const inputs = await inputsOf(bucket);
      await assert.rejects(binding.create(inputs), /is not ready \(status\.bucketReady\)/);
      assert.deepEqual(await finalizersOf(kube, bucketClaimKind, inputs.claim), []);
    });
  });
});
