import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { describeRecorded, describeResource } from "../../../provider/dynamic/kept-inputs";
import type { BucketObjects } from "../../../provider/models/model";
import { objectsOfRun } from "../../../provider/run/objects-of-run";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StoringDriver } from "../../support/workflows/storing-driver";

const unknown = pulumi.runtime.unknownValue;
const urnOf = (stack: string, project: string): string =>
  `urn:pulumi:${stack}::${project}::my:App$cosi:objectstorage:BucketClaim::photos`;
/** What the state keeps of a component, and what the program calls it since. */
const before = urnOf("prod", "shop");
const calledSince = {
  "renamed stack": urnOf("live", "shop"),
  "project that took it over by state move": urnOf("prod", "depot"),
};

for (const [where, after] of Object.entries(calledSince)) {
  describe(`what resources of one run know of each other, in a ${where}`, () => {
    const bucket = new Lifecycle(bucketProvider);
    const access = new Lifecycle(accessProvider);
    let driver: StoringDriver;
    let ofBucket: (parent: string, changes?: Properties) => Properties;
    let ofAccess: (parent: string, changes?: Properties) => Properties;

    beforeEach(async () => {
      beginRun();
      driver = await new StoringDriver().start();
      const common = { driver: driverReference(driver.fake.endpoint), logicalName: "photos", name: "photos" };
      ofBucket = (parent, changes = {}) => ({ ...common, parent, deletionPolicy: "Delete", ...changes });
      ofAccess = (parent, changes = {}) => ({
        ...common,
        parent,
        bucketName: "photos",
        bucketId: "photos",
        ...changes,
      });
    });

    afterEach(async () => {
      await closeConnections();
      driver.fake.stop();
    });

    const deletes = (): number => driver.fake.paths().filter((rpc) => rpc === "DriverDeleteBucket").length;

    it("is called what it was called at its create", () => {
      assert.equal(describeResource("photos", after), describeResource("photos", before));
      assert.notEqual(describeResource("photos", after), describeResource("photos", `${after}-2`));
      assert.notEqual(describeRecorded("photos", after), describeRecorded("photos", before));
    });

    it("lets a bucket go that --replace makes anew, which the engine asks for without the state", async () => {
      const { outputs } = await bucket.create(ofBucket(before, { protectData: false }));
      beginRun();
      await bucket.check({}, ofBucket(after, { protectData: false }));
      assert.deepEqual(await printed(() => bucket.delete(outputs)), []);
      assert.equal(deletes(), 1);
    });

    it("lets the objects of what is made anew go, too", () => {
      const claim = { namespace: "shop", name: "photos", uid: "uid-1" };
      const objects: BucketObjects = {
        model: "objectstorage.k8s.io/v1alpha1",
        kubernetes: {},
        claim,
        bucket: { name: "bucket-uid-1", uid: "uid-2" },
      };
      objectsOfRun.want(objects, [describeResource("photos", after)]);
      assert.equal(objectsOfRun.isUsed(objects, describeResource("photos", before)), false);
    });

    it("refuses a replacement that an option asks for, and not one that diff has let pass", async () => {
      const { outputs } = await bucket.create(ofBucket(before));
      beginRun();
      const { inputs } = await bucket.check(outputs, ofBucket(after));
      assert.match(
        (await bucket.check({}, ofBucket(after))).failures.join(),
        /^protectData: the bucket photos/,
      );
      const unprotected = { ...outputs, protectData: false };
      await bucket.diff(unprotected, { ...inputs, parameters: { tier: "2" } });
      assert.deepEqual((await bucket.check({}, ofBucket(after))).failures, []);
    });

    it("keeps how far a rotation has come where the access goes with its bucket", async () => {
      const first = (await access.create(ofAccess(before, { rotation: { trigger: 1 } }))).outputs;
      beginRun();
      const rotating = ofAccess(after, { rotation: { trigger: 2 } });
      const { inputs } = await access.check(first, rotating);
      assert.deepEqual((await access.diff(first, inputs)).replaces, ["rotation"]);
      const { outputs: rotated } = await access.create(rotating);
      await access.delete(first);
      assert.equal((rotated["rotation"] as Properties)["generation"], 1);

      beginRun();
      // As a state has it whose access was rotated before the stack got its name.
      const olds: Properties = { ...rotated, parent: before };
      await access.diff(olds, { ...olds, bucketName: unknown, bucketId: unknown });
      const { inputs: anew } = await access.check({}, { ...rotating, bucketName: "p2", bucketId: "p2" });
      assert.equal((anew["rotation"] as Properties)["generation"], 1);
    });
  });
}
