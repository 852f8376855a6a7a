import assert from "node:assert/strict";
import { DriverGrantBucketAccessRequest } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { provider as accessProvider } from "../../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../../provider/bucket/provider";
import { sleep } from "../../../../provider/driver/call/retry";
import { closeConnections } from "../../../../provider/driver/connections";
import type { DriverReference } from "../../../../provider/driver-resource/reference";
import { answers, obligingDriver, paths } from "../../../support/cosi-v1alpha1";
import type { Answer, FakeDriver } from "../../../support/fake-driver";
import { Lifecycle } from "../../../support/lifecycle";
import { beginRun } from "../../../support/run";
import { driverReference } from "../../../support/settings";

describe("Drivers that lead to one endpoint, of which one is that of COSI_ENDPOINT", () => {
  const bucket = new Lifecycle(bucketProvider);
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;

  beforeEach(async () => {
    beginRun();
    driver = obligingDriver();
    const slowly = async (answer: Answer): Promise<Answer> => {
      await sleep(20);
      return answer;
    };
    driver.on(paths.create, () => slowly(answers.created("b1")));
    driver.on(paths.grant, (body) =>
      slowly(answers.granted(DriverGrantBucketAccessRequest.decode(body).name)),
    );
    await driver.start();
    process.env["COSI_ENDPOINT"] = driver.endpoint;
  });

  afterEach(async () => {
    delete process.env["COSI_ENDPOINT"];
    await closeConnections();
    driver.stop();
  });

  const inFlight = (rpc: string): number[] =>
    driver.calls.filter(({ path }) => path === rpc).map((call) => call.inFlight);
  const referencesWith = (written: Partial<DriverReference>): DriverReference[] => {
    const inherited = driverReference(driver.endpoint, { seed: "ab".repeat(16) });
    delete inherited.endpoint;
    return [driverReference(driver.endpoint, written), inherited];
  };

  it("have one call in flight for a bucket [GRPC-037]", async () => {
    await Promise.all(
      referencesWith({ callTimeoutSeconds: 4 }).map((reference, n) =>
        access.create({ driver: reference, logicalName: `a${n}`, bucketName: "photos", bucketId: "photos" }),
      ),
    );
    assert.deepEqual(inFlight(paths.grant), [1, 1]);
  });

  it("have no more calls in flight than the smaller maxConcurrentCalls", async () => {
    const [written, inherited] = referencesWith({ maxConcurrentCalls: 1 });
    await bucket.create({ driver: written, logicalName: "first" });
    await Promise.all(
      Array.from({ length: 6 }, (_, n) => bucket.create({ driver: inherited, logicalName: `b${n}` })),
    );
    assert.deepEqual(inFlight(paths.create), Array<number>(7).fill(1));
  });
});
