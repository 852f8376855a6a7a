import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { Connection } from "../../../../provider/driver/connection";
import { DriverError } from "../../../../provider/driver/call/driver-error";
import { answers, obligingDriver, paths } from "../../../support/cosi-v1alpha1";
import { FakeDriver, type Responder } from "../../../support/fake-driver";
import { quickSettings } from "../../../support/settings";
import { eventually } from "../../../support/stub-driver";

const v1alpha2 = "/sigs.k8s.io.cosi.v1alpha2.Identity/DriverGetInfo";
const preAlpha = "/cosi.v1alpha1.Identity/ProvisionerGetInfo";

describe("the question for a driver's name", () => {
  let driver: FakeDriver;

  afterEach(() => {
    driver.stop();
  });

  /** The error of a call to this driver, which must fail before anything is asked of its provisioner. */
  const refusal = async (fake: FakeDriver, connectTimeoutSeconds = 5): Promise<DriverError> => {
    driver = await fake.start();
    const connection = new Connection({ ...quickSettings(driver.endpoint), connectTimeoutSeconds });
    const target = { bucket: "b1", subject: "bucket b1", driverName: "d" };
    const error: unknown = await connection.client.createBucket({ name: "b1", parameters: {} }, target).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    await connection.close();
    assert.ok(error instanceof DriverError, String(error));
    assert.deepEqual(
      driver.calls.filter((call) => call.path.includes("Provisioner/")),
      [],
    );
    return error;
  };

  describe("that is UNIMPLEMENTED", () => {
    /** A driver that records all calls of the contract, and says of its identity what gRPC in Go says. */
    const without = (words: string): FakeDriver =>
      obligingDriver().on(paths.getInfo, () => ({ code: status.UNIMPLEMENTED, message: words }));
    const noMethod = "unknown method DriverGetInfo for service cosi.v1alpha1.Identity";
    const noService = "unknown service cosi.v1alpha1.Identity";
    const is: Responder = () => answers.info();

    for (const [what, fake, text] of [
      [
        "names v1alpha2 where that is served",
        () => without(noService).on(v1alpha2, is),
        /it serves sigs\.k8s\.io\.cosi\.v1alpha2, a later contract.*Next: run the driver's release for cosi\.v1alpha1/,
      ],
      [
        "names a pre-alpha driver where the identity has another call",
        () => without(noMethod).on(preAlpha, is),
        /as a pre-alpha driver does \(its call was ProvisionerGetInfo\).*Next: run a newer release/,
      ],
      [
        "names another service where there is no identity",
        () => without(noService).on("/other.v1.Service/Method", is),
        /it is not a COSI driver but another gRPC service.*Next: point the Driver at a driver that serves/,
      ],
      [
        "names both where the words do not tell",
        () => new FakeDriver().on("/other.v1.Service/Method", is),
        /it is another gRPC service, or a pre-alpha driver/,
      ],
    ] as const) {
      it(`${what}, and calls no provisioner [GRPC-124]`, async () => {
        const error = await refusal(fake());
        assert.equal(error.code, status.UNIMPLEMENTED);
        assert.match(error.message, /does not serve cosi\.v1alpha1: it has no DriverGetInfo; /);
        assert.match(error.message, text);
        assert.ok(!driver.paths().includes("ProvisionerGetInfo"));
      });
    }
  });

  it("has a deadline within the wait for the connection [GRPC-050]", async () => {
    const fake = obligingDriver().on(paths.getInfo, () => new Promise<never>(() => undefined));
    const began = Date.now();
    const error = await refusal(fake, 0.6);
    assert.ok(Date.now() - began < 5_000, "not the deadline of a call");
    await eventually("the call is cancelled", () => driver.calls[0]?.cancelled === true);
    assert.equal(error.code, status.DEADLINE_EXCEEDED);
    assert.match(
      error.message,
      /^DriverCreateBucket: DEADLINE_EXCEEDED: DriverGetInfo failed: Deadline exceeded/,
    );
  });
});
