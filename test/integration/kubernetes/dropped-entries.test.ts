import assert from "node:assert/strict";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { createSentAnnotation } from "../../../provider/models/claimed/annotations";
import {
  bucketAccessKind,
  bucketKind,
  finalizers,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { answers } from "../../support/cosi-v1alpha1";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";
import { StrictDriver } from "../../support/strict-driver";
import { cluster, newNamespace, type Cluster } from "./cluster";
import { accessInputs, accessTo, claimedBucket, finalizersOf, installDefinitions } from "./objects";

/** Nothing is sent for them; their objects are as much theirs as before, or the other resource's too. */
describe("the objects of an entry that is dropped, as another resource has what it stands for", function () {
  this.timeout(120_000);
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let kube: Cluster;
  let driver: StrictDriver;
  let objects: Awaited<ReturnType<typeof claimedBucket>>;
  let ofBucket: Properties;

  before(async () => {
    kube = await cluster();
    await installDefinitions(kube);
  });

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    objects = await claimedBucket(kube, await newNamespace(kube));
    const { name } = objects.bucket;
    const reference = driverReference(driver.fake.endpoint);
    ofBucket = { driver: reference, logicalName: "photos", name, deletionPolicy: "Delete", objects };
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  const ofAccess = async (made: Properties, name: string) =>
    accessInputs(ofBucket["driver"], made, name, await accessTo(kube, objects, name));

  it("go with a bucket that the program takes by its id [OS1-035]", async () => {
    const { outputs } = await bucket.create(ofBucket);
    beginRun();
    const { driver: reference } = ofBucket;
    await bucket.create({ driver: reference, logicalName: "taken", existingBucketId: outputs["bucketId"] });
    const lines = await printed(() => bucket.delete(outputs));
    assert.match(lines.join(), /only this entry is dropped/);
    assert.deepEqual(driver.rpcs(), ["Create"]);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), []);
  });

  it("stay with a bucket that was renamed without an alias, or made anew as it was asked for", async () => {
    const { outputs } = await bucket.create(ofBucket);
    beginRun();
    await bucket.create({ ...ofBucket, logicalName: "renamed" });
    await printed(() => bucket.delete(outputs));
    assert.deepEqual(driver.rpcs(), ["Create", "Create"]);
    assert.deepEqual(await finalizersOf(kube, bucketKind, objects.bucket), [finalizers.bucket]);
    const { annotations = {} } = (await kube.client.get(bucketKind, objects.bucket))?.metadata ?? {};
    assert.ok(annotations[createSentAnnotation] !== undefined, "the mark of the create is there");
  });

  it("go with an access whose account a driver has given to another one too [DEP-087]", async () => {
    const made = (await bucket.create(ofBucket)).outputs;
    driver.answer("grant", answers.granted("one-for-all"), answers.granted("one-for-all"));
    const [first, second] = [await ofAccess(made, "first"), await ofAccess(made, "second")];
    const gone = (await access.create(first)).outputs;
    const kept = (await access.create(second)).outputs;
    beginRun();
    const { inputs } = await access.check(kept, second);
    await access.diff(kept, inputs);
    const lines = await printed(() => access.delete(gone));
    assert.match(lines.join(), /only this entry is dropped/);
    assert.deepEqual(driver.rpcs(), ["Create", "Grant", "Grant"]);
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, first.objects.access), []);
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, second.objects.access), [finalizers.access]);
    const ofBoth = await finalizersOf(kube, bucketKind, objects.bucket);
    assert.ok(ofBoth?.includes(finalizers.bucketInUse), "the bucket is in use");
  });

  it("stay with an access that was made anew as it was asked for", async () => {
    const made = (await bucket.create(ofBucket)).outputs;
    const inputs = await ofAccess(made, "first");
    const gone = (await access.create(inputs)).outputs;
    beginRun();
    await access.create({ ...inputs, logicalName: "renamed" });
    await printed(() => access.delete(gone));
    assert.deepEqual(await finalizersOf(kube, bucketAccessKind, inputs.objects.access), [finalizers.access]);
  });
});
