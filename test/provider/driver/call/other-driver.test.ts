import assert from "node:assert/strict";
import { closeConnections } from "../../../../provider/driver/connections";
import { forEachContract } from "../../../support/contracts-under-test";
import type { FakeDriver } from "../../../support/fake-driver";
import type { Properties } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";

/** The resources of one driver, with its socket in the hands of another one. */
forEachContract("a socket that is another driver's by now", (contract) => {
  const { bucket, access, obligingDriver, driverReference, ids } = contract;
  const ofBucket = { logicalName: "photos", deletionPolicy: "Delete" };
  const ofAccess = { logicalName: "reader", bucketName: "b1", bucketId: "b1" };
  let own: FakeDriver;
  let other: FakeDriver;
  let elsewhere: Properties;

  beforeEach(async () => {
    beginRun();
    own = await obligingDriver().start();
    other = await obligingDriver("other.example.com").start();
    elsewhere = { ...driverReference(other.endpoint) };
  });

  afterEach(async () => {
    await closeConnections();
    own.stop();
    other.stop();
  });

  /** Asserts that the call is refused before it is sent. */
  async function isRefused(call: Promise<unknown>): Promise<void> {
    await assert.rejects(call, /"fake\.example\.com".*"other\.example\.com".*driverName/s);
    assert.deepEqual(other.paths(), ["DriverGetInfo"]);
  }

  it(`gets no create ${ids("[GRPC-009]", "[DEP-009]")}`, () =>
    isRefused(bucket.create({ ...ofBucket, driver: elsewhere })));

  it(`gets no grant, so no key is made there ${ids("[GRPC-009]", "[DEP-009]")}`, () =>
    isRefused(access.create({ ...ofAccess, driver: elsewhere })));

  it(`gets no delete ${ids("[GRPC-009]", "[DEP-009]")}`, async () => {
    const { outputs } = await bucket.create({ ...ofBucket, driver: driverReference(own.endpoint) });
    beginRun();
    await isRefused(bucket.delete({ ...outputs, driver: elsewhere }));
  });

  it(`gets no revoke, and the access stays ${ids("[GRPC-009]", "[DEP-009]")}`, async () => {
    const { outputs } = await access.create({ ...ofAccess, driver: driverReference(own.endpoint) });
    beginRun();
    await isRefused(access.delete({ ...outputs, driver: elsewhere }));
  });
});
