import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { DriverDeleteBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../provider/bucket/provider";
import { closeConnections } from "../../provider/driver/connections";
import { answers, paths } from "../support/cosi-v1alpha1";
import { Lifecycle, printed, type Properties } from "../support/lifecycle";
import { beginRun } from "../support/run";
import { driverReference } from "../support/settings";
import { lost, StrictDriver } from "../support/strict-driver";

const bucket = new Lifecycle(bucketProvider);
const access = new Lifecycle(accessProvider);

describe("many buckets of one class", () => {
  let driver: StrictDriver;
  let ofBucket: (n: number) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await new StrictDriver().start();
    const reference = driverReference(driver.fake.endpoint);
    const ofClass = { bucketClassName: "gold", parameters: { tier: "gold" }, deletionPolicy: "Delete" };
    ofBucket = (n) => ({ driver: reference, logicalName: `claim-${n}`, ...ofClass });
  });

  afterEach(async () => {
    await closeConnections();
    driver.fake.stop();
  });

  it("fifty at one time are made once each, and ten faults of their destroy leave no orphan [CASE-C36]", async () => {
    const make = async (n: number) => {
      const made = await bucket.create(ofBucket(n));
      const { name: bucketName, bucketId, driver: reference } = made.outputs;
      const ofAccess = { driver: reference, logicalName: `claim-${n}-rw`, bucketName, bucketId };
      return { bucket: made.outputs, access: (await access.create(ofAccess)).outputs };
    };
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => make(n)));
    assert.deepEqual([driver.buckets.size, driver.accounts.size], [50, 50]);
    assert.equal(driver.rpcs().length, 100);

    // Five that are refused, and five whose answer is lost after the bucket is gone.
    const ids = all.map(({ bucket: { bucketId } }) => String(bucketId));
    const refused = new Set(ids.slice(0, 5));
    const losing = new Set(ids.slice(5, 10));
    driver.fake.on(paths.delete, (body) => {
      const { bucketId } = DriverDeleteBucketRequest.decode(body);
      if (refused.has(bucketId)) return { code: status.PERMISSION_DENIED, message: "not now" };
      const gone = !driver.buckets.delete(bucketId);
      if (losing.delete(bucketId)) return lost;
      return gone ? { code: status.NOT_FOUND, message: "no such bucket" } : answers.deleted();
    });
    const destroy = async (entries: typeof all) => {
      beginRun();
      const left: typeof all = [];
      await printed(() =>
        Promise.all(
          entries.map(async (entry) => {
            try {
              await access.delete(entry.access);
              await bucket.delete(entry.bucket);
            } catch {
              left.push(entry);
            }
          }),
        ),
      );
      return left;
    };
    const left = await destroy(all);
    assert.deepEqual(
      left.map((entry) => entry.bucket["bucketId"]).sort(),
      [...refused].sort(),
      "the ones whose answer was lost are done",
    );
    assert.deepEqual([...driver.buckets.keys()].sort(), [...refused].sort());
    assert.equal(driver.accounts.size, 0);

    refused.clear();
    beginRun();
    for (const entry of left) await bucket.delete(entry.bucket);
    assert.equal(driver.buckets.size, 0);
    assert.equal(driver.rpcs().filter((rpc) => rpc === "Create").length, 50);
  });

  it("a hundred in a preview send nothing, new or known, with the driver away [CASE-U29]", async () => {
    const known = await Promise.all(Array.from({ length: 100 }, (_, n) => bucket.create(ofBucket(n))));
    driver.fake.kill();
    await closeConnections();
    const calls = driver.fake.calls.length;
    beginRun();
    for (const [n, { outputs }] of known.entries()) {
      const { inputs } = await bucket.check(outputs, ofBucket(n));
      assert.deepEqual(await bucket.diff(outputs, inputs), { changes: false, replaces: [] });
      const fresh = await bucket.check({}, ofBucket(100 + n));
      assert.deepEqual(fresh.failures, []);
    }
    assert.equal(driver.fake.calls.length, calls);
  });
});
