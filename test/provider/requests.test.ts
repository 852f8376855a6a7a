import assert from "node:assert/strict";
import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../provider/driver/connections";
import { forEachContract } from "../support/contracts-under-test";
import type { FakeDriver } from "../support/fake-driver";
import { type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";

forEachContract("what is sent over the life of a bucket and its accesses", (contract) => {
  const { bucket, access, obligingDriver, driverReference, say, ids } = contract;
  let driver: FakeDriver;
  let ofBucket: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    ofBucket = (changes = {}) => ({ driver: reference, logicalName: "photos", ...changes });
    const ofIt = { bucketName: "photos-1", bucketId: "photos-1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "photos-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const sent = (rpc: string) => driver.bodies(rpc).map((body) => Buffer.from(body, "hex"));

  it(`has the parameters of create and grant in the contexts, whatever became of the classes ${ids("[GRPC-034] [CASE-C37]", "[DEP-033]")}`, async () => {
    const gold = { bucketClassName: "gold", parameters: { tier: "1", " k ": "" }, deletionPolicy: "Delete" };
    const keys = { bucketAccessClassName: "keys", parameters: { mode: "ro" }, authenticationType: "Key" };
    const made = (await bucket.create(ofBucket(gold))).outputs;
    const granted = (await access.create(ofAccess(keys))).outputs;
    for (const edited of [{ tier: "2", more: "x" }, undefined]) {
      beginRun();
      const ofClass = { parameters: edited, deletionPolicy: "Retain" };
      const news = (await bucket.check(made, ofBucket({ ...gold, ...ofClass }))).inputs;
      assert.deepEqual(await bucket.diff(made, news), { changes: false, replaces: [] });
      const ofKeys = { parameters: edited, authenticationType: "IAM" };
      const newAccess = (await access.check(granted, ofAccess({ ...keys, ...ofKeys }))).inputs;
      assert.deepEqual(await access.diff(granted, newAccess), { changes: false, replaces: [] });
    }
    beginRun();
    await access.delete(granted);
    await bucket.delete(made);
    const [revoke] = sent("DriverRevokeBucketAccess").map((body) =>
      DriverRevokeBucketAccessRequest.decode(body),
    );
    assert.deepEqual(Object.fromEntries(revoke?.revokeAccessContext ?? []), keys.parameters);
    const [remove] = sent("DriverDeleteBucket").map((body) => DriverDeleteBucketRequest.decode(body));
    assert.deepEqual(Object.fromEntries(remove?.deleteContext ?? []), gold.parameters);
  });

  it(`has every required field filled, with and without inputs of the user's ${ids("[GRPC-045]", "[DEP-042]")}`, async () => {
    for (const named of [{}, { name: "n" }]) {
      const made = await bucket.create(ofBucket({ ...named, deletionPolicy: "Delete" }));
      const ofIt = { bucketName: made.id, bucketId: made.outputs["bucketId"], ...named };
      for (const authenticationType of ["Key", "IAM", undefined]) {
        const granted = await access.create(ofAccess({ ...ofIt, authenticationType }));
        beginRun();
        await access.delete(granted.outputs);
      }
      await bucket.delete(made.outputs);
    }
    const old = await bucket.create(ofBucket({ logicalName: "old", existingBucketId: "old-1" }));
    const granted = await access.create(ofAccess({ bucketName: old.id, bucketId: old.outputs["bucketId"] }));
    beginRun();
    await access.delete(granted.outputs);
    await bucket.delete(old.outputs);

    const required = [
      ...sent("DriverCreateBucket").map((body) => DriverCreateBucketRequest.decode(body).name),
      ...sent("DriverDeleteBucket").map((body) => DriverDeleteBucketRequest.decode(body).bucketId),
      ...sent("DriverGrantBucketAccess").flatMap((body) => {
        const { bucketId, name, authenticationType } = DriverGrantBucketAccessRequest.decode(body);
        return [bucketId, name, authenticationType];
      }),
      ...sent("DriverRevokeBucketAccess").flatMap((body) => {
        const { bucketId, accountId } = DriverRevokeBucketAccessRequest.decode(body);
        return [bucketId, accountId];
      }),
    ];
    assert.equal(required.length, 2 + 2 + 7 * 3 + 7 * 2);
    assert.ok(required.every((value) => value !== "" && value !== 0));
  });

  it("says with create and grant alone for whom it asks, in a way that tells nothing else", async () => {
    const owners: unknown[] = [];
    for (const seed of ["first", "second", "first"]) {
      const reference = driverReference(driver.endpoint, { seed });
      beginRun();
      const made = (await bucket.create(ofBucket({ driver: reference, deletionPolicy: "Delete" }))).outputs;
      const granted = (await access.create(ofAccess({ driver: reference }))).outputs;
      beginRun();
      await access.delete(granted);
      await bucket.delete(made);
      const said = driver.calls.map(({ path, metadata }) => [
        path.split("/")[2],
        metadata["pulumi-cosi-owner"],
      ]);
      const [, owner] = said.find(([rpc]) => rpc === "DriverCreateBucket") ?? [];
      assert.match(String(owner), /^[0-9a-f]{32}$/);
      assert.deepEqual(
        said.filter(([, value]) => value !== undefined),
        [
          ["DriverCreateBucket", owner],
          ["DriverGrantBucketAccess", owner],
        ],
      );
      owners.push(owner);
      driver.calls.length = 0;
    }
    assert.equal(owners[0], owners[2]);
    assert.notEqual(owners[0], owners[1]);
  });

  it(`is nothing where a required field would be empty: check refuses, and names the input ${ids("[GRPC-045]", "[DEP-042]")}`, async () => {
    for (const [resource, inputs, text] of [
      [
        bucket,
        ofBucket({ existingBucketId: "" }),
        say(/^existingBucketId is empty: give the id of the bucket/),
      ],
      [bucket, ofBucket({ name: "" }), /^name is empty/],
      [access, ofAccess({ name: "" }), /^name is empty/],
      [access, ofAccess({ bucketId: "" }), say(/^bucketId is empty/)],
      // What a bucket has for an id whose create ended in nothing that is known.
      [
        access,
        ofAccess({ bucketId: null }),
        say(/^bucketId is missing: the bucket "photos-1" has no id yet/),
      ],
    ] as const) {
      const { failures } = await resource.check({}, inputs);
      assert.equal(failures.length, 1);
      assert.match(failures[0] ?? "", text);
    }
    assert.deepEqual(driver.calls, []);
  });
});
