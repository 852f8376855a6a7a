import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as bindingProvider } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const unknown = pulumi.runtime.unknownValue;
const parent = "urn:pulumi:test::shop::cosi:objectstorage:BucketClaim::photos";
const lostClaim = "BucketClaim shop/photos (UID uid-1)";

describe("a bucket whose claim somebody has removed, under Delete", () => {
  const bucket = new Lifecycle(bucketProvider);
  const binding = new Lifecycle(bindingProvider);

  beforeEach(beginRun);

  const inputs: Properties = {
    driver: driverReference("unix:///run/absent.sock"),
    logicalName: "photos",
    parent,
    name: "bucket-uid-1",
    deletionPolicy: "Delete",
    bucketClassName: "gold",
    objects: {
      model: "objectstorage.k8s.io/v1alpha1",
      kubernetes: {},
      claim: { namespace: "shop", name: "photos", uid: "uid-1" },
      bucket: { name: "bucket-uid-1", uid: "uid-2" },
    },
  };

  /** What the state keeps of it; `lost`: a refresh has found the claim gone. */
  async function recorded(lost: boolean): Promise<Properties> {
    const { inputs: checked } = await bucket.check({}, inputs);
    const made = { bucketId: "b-1", bucketInfo: null, adopted: false, drift: null, schemaVersion: 1 };
    return { ...checked, ...made, lostClaim: lost ? lostClaim : null };
  }

  /** The engine's question for what goes with the Bucket object: with the state's inputs, those of the object unknown. */
  const asked = (olds: Properties, change: Properties = {}) =>
    bucket.diff(olds, { ...olds, name: unknown, objects: unknown, ...change });

  /** The program's word comes with the binding of the claim, which is made before. */
  const say = (protectData: boolean | undefined, calledNow = parent, uid = "uid-1", uidNow = unknown) => {
    const claim = { namespace: "shop", name: "photos", uid };
    const ofBinding = { owner: "organization/shop/test", resource: "photos", bucketNameFormat: "v0.2.2" };
    return binding.check(
      { ...ofBinding, claim, parent },
      {
        ...ofBinding,
        claim: { ...claim, uid: uidNow },
        parent: calledNow,
        ...(protectData === undefined ? {} : { protectData }),
      },
    );
  };

  /** What the component is called from then on; the bucket keeps what it was called at its create. */
  const otherNames = {
    "a rename of the stack": "urn:pulumi:live::shop::cosi:objectstorage:BucketClaim::photos",
    "a move to another project": "urn:pulumi:test::depot::cosi:objectstorage:BucketClaim::photos",
    "a rename of the component by an alias": "urn:pulumi:test::shop::cosi:objectstorage:BucketClaim::images",
  };
  for (const [what, calledNow] of Object.entries(otherNames)) {
    it(`is given up after ${what} too`, async () => {
      const olds = await recorded(true);
      await say(false, calledNow);
      assert.deepEqual((await asked(olds)).replaces, ["name"]);
      await say(undefined, calledNow);
      await assert.rejects(asked(olds), /is gone/);
    });

    it(`is not asked to be given up after ${what} either, where the state alone has lost the claim`, async () => {
      await say(undefined, calledNow);
      await assert.rejects(asked(await recorded(false)), /`pulumi up --skip-preview` takes the claim/);
    });
  }

  it("is not given up by the word for a claim that has got the name of its component since", async () => {
    const olds = await recorded(true);
    await say(undefined, otherNames["a rename of the component by an alias"]);
    await say(false, parent, "uid-7");
    await assert.rejects(asked(olds), /is gone/);
  });

  it("is given up when the program says protectData: false, and not before; the error names the claim", async () => {
    const olds = await recorded(true);
    await say(undefined);
    await assert.rejects(
      asked(olds),
      /because of name: BucketClaim shop\/photos \(UID uid-1\), for which it was made, is gone, .*Next: .*to give it up, set protectData to false and run pulumi up\.$/,
    );
    await say(false);
    assert.deepEqual((await asked(olds)).replaces, ["name"]);
    assert.deepEqual((await bucket.diff(olds, { ...olds, name: "bucket-uid-9" })).replaces, ["name"]);
    await say(true);
    await assert.rejects(asked(olds), /is gone/);
  });

  it("is not given up by the way of another change", async () => {
    await say(false);
    await assert.rejects(asked(await recorded(true), { parameters: { tier: "cold" } }), /name, parameters/);
    await assert.rejects(
      asked(await recorded(true), { bucketClassName: "silver" }),
      /because of bucketClassName, name/,
    );
  });

  it("is not asked to be given up where the state alone has lost the claim: the way there is an up without a preview", async () => {
    const olds = await recorded(false);
    const claim = { namespace: "shop", name: "photos", uid: "uid-1" };
    const ofBinding = {
      owner: "organization/shop/test",
      resource: "photos",
      bucketNameFormat: "v0.2.2",
      parent,
    };
    const see = (uid: string, recorded = true) =>
      binding.check(recorded ? { ...ofBinding, claim } : {}, { ...ofBinding, claim: { ...claim, uid } });
    await see(unknown);
    // The engine asks once more, for the replacement.
    await see(unknown, false);
    await assert.rejects(asked(olds), (error: Error) => {
      assert.match(
        error.message,
        /the state has lost BucketClaim shop\/photos \(UID uid-1\), .*Next: `pulumi up --skip-preview` takes the claim into/,
      );
      assert.doesNotMatch(error.message, /protectData|Retain/);
      return true;
    });
    // Of another change that text would not be true, nor at `up`, which knows the UID.
    await assert.rejects(asked(olds, { bucketClassName: "silver" }), /set the claim's deletionPolicy/);
    await see("uid-9");
    await assert.rejects(asked(olds), /set the claim's deletionPolicy/);
  });

  it("is not given up while the claim is there: protectData has to be in the state first", async () => {
    await say(false, parent, "uid-1", "uid-1");
    await assert.rejects(
      asked(await recorded(false)),
      /set the claim's deletionPolicy to "Retain" .*set protectData to false and run pulumi up before this change\.$/,
    );
  });
});
