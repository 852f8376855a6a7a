import assert from "node:assert/strict";
import { DriverCreateBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { closeConnections } from "../../provider/driver/connections";
import { forEachContract } from "../support/contracts-under-test";
import { answers, paths } from "../support/cosi-v1alpha1";
import type { Answer } from "../support/fake-driver";
import { beginRun } from "../support/run";

const buckets = 20;

forEachContract("calls for different buckets", (contract) => {
  const { bucket, obligingDriver, driverReference, ids } = contract;

  beforeEach(beginRun);
  afterEach(closeConnections);

  it(`run side by side: a driver that answers nobody before all have come serves them all ${ids("[GRPC-038]", "[DEP-036]")}`, async () => {
    const driver = obligingDriver();
    const arrived = (path: string) => driver.calls.filter((call) => call.path === path).length;
    // One behind the other they would wait for ever, that is until their deadline.
    const together = (path: string, answer: (body: Buffer) => Answer) => {
      const all = Promise.withResolvers<undefined>();
      driver.on(path, async (body) => {
        if (arrived(path) === buckets) all.resolve(undefined);
        await all.promise;
        return answer(body);
      });
    };
    together(paths.create, (body) => answers.created(DriverCreateBucketRequest.decode(body).name));
    together(paths.delete, () => answers.deleted());
    await driver.start();
    try {
      const reference = driverReference(driver.endpoint);
      const made = await Promise.all(
        Array.from({ length: buckets }, (_, index) =>
          bucket.create({ driver: reference, logicalName: `b${index}`, deletionPolicy: "Delete" }),
        ),
      );
      beginRun();
      await Promise.all(made.map(({ outputs }) => bucket.delete(outputs)));
      for (const path of [paths.create, paths.delete]) {
        const calls = driver.calls.filter((call) => call.path === path);
        assert.equal(calls.length, buckets, "no call was repeated");
        assert.equal(Math.max(...calls.map(({ inFlight }) => inFlight)), buckets);
      }
      assert.equal(driver.calls.filter((call) => call.path === paths.getInfo).length, 1);
    } finally {
      driver.stop();
    }
  });
});
