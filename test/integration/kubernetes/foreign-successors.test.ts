import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { bucketAccessKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StrictDriver } from "../../support/strict-driver";
import { removeByHand } from "../../support/workflows/by-hand";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessInputs, accessTo, claimedBucket, installDefinitions } from "./objects";

/** @pulumi/kubernetes, which deletes the object after the access, goes by its name. */
describe("a BucketAccess that somebody made in the place of one for which no revoke is sent", function () {
  this.timeout(120_000);
  const access = new Lifecycle(accessProvider);
  let kube: Cluster;
  let driver: StrictDriver;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  const newAccess = async (changes: Properties) => {
    const ofBucket = await claimedBucket(kube, await newNamespace(kube));
    const reference = driverReference(driver.fake.endpoint);
    const named = { driver: reference, logicalName: "photos", name: ofBucket.bucket.name };
    const { outputs } = await new Lifecycle(bucketProvider).create({ ...named, objects: ofBucket });
    const objects = await accessTo(kube, ofBucket, "rw");
    const inputs = { ...accessInputs(reference, outputs, "photos-rw", objects), ...changes };
    return { objects, ofBucket, outputs: (await access.create(inputs)).outputs };
  };

  const existingAccount = { accountId: "legacy", accessKeyId: "AKIA", accessSecretKey: "hush" };
  for (const [title, changes, kept] of [
    ["as its account was there before", { existingAccount }, {}],
    ["as nothing was made", {}, { accountId: null, granted: null, nothingMade: true }],
  ] as const) {
    it(`stops the deletion, ${title} [OS1-018]`, async () => {
      const { objects, ofBucket, outputs } = await newAccess(changes);
      const calls = driver.rpcs();
      await removeByHand(kube.client, bucketAccessKind, objects.access);
      await accessTo(kube, ofBucket, "rw", {});
      beginRun();
      await printed(() =>
        assert.rejects(
          access.delete({ ...outputs, ...kept }),
          /BucketAccess .*rw is not the one of this stack.*it stays as it is/,
        ),
      );
      assert.deepEqual(driver.rpcs(), calls);
    });
  }
});
