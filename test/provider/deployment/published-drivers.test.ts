import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { provider as accessProvider } from "../../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { contractsUnderTest } from "../../support/contracts-under-test";
import { answers, paths } from "../../support/cosi-v1alpha1";
import { FakeDriver, type Answer } from "../../support/fake-driver";
import { failedResource, Lifecycle, printed, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const { driverReference, obligingDriver, settings, strictDriver } = contractsUnderTest.deployment;

describe("a published driver of the Deployment Interface", () => {
  const store = new Lifecycle(driverProvider);
  const deployment = new Lifecycle(deploymentProvider);
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;
  let ofDeployment: (changes?: Properties) => Properties;
  let ofAccess: (changes?: Properties) => Properties;

  const use = async (fake: FakeDriver): Promise<void> => {
    driver = await fake.start();
    const reference = driverReference(driver.endpoint);
    ofDeployment = (changes = {}) => ({
      driver: reference,
      logicalName: "orders",
      deletionPolicy: "Delete",
      ...changes,
    });
    const ofIt = { deploymentName: "orders-1", deploymentId: "orders-1" };
    ofAccess = (changes = {}) => ({ driver: reference, logicalName: "orders-rw", ...ofIt, ...changes });
  };

  beforeEach(beginRun);
  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  it("of the third form has no grant: that is named, and create and delete go on [DEP-086]", async () => {
    const unknown = (): Answer => ({
      code: status.UNIMPLEMENTED,
      message: "unknown method DriverGrantDeploymentAccess",
    });
    await use(obligingDriver().on(paths.grant, unknown).on(paths.revoke, unknown));
    const made = await deployment.create(ofDeployment());
    await assert.rejects(access.create(ofAccess()), (error: unknown) => {
      assert.ok(error instanceof Error && !("properties" in error));
      assert.match(
        error.message,
        /^DriverGrantDeploymentAccess: UNIMPLEMENTED: .*Next: this driver does not offer/s,
      );
      return true;
    });
    beginRun();
    await deployment.delete(made.outputs);
    assert.deepEqual(driver.paths(), [
      "DriverGetInfo",
      "DriverCreateBucket",
      "DriverGrantBucketAccess",
      "DriverDeleteBucket",
    ]);
  });

  it("of the fourth form answers no DriverGetInfo, and gets no other call: the expected service is named [DEP-086]", async () => {
    const own = [
      "/deployment.v1alpha1.Identity/ProviderGetInfo",
      "/deployment.v1alpha1.Provisioner/ProviderCreateDeployment",
    ];
    const fake = own.reduce((known, path) => known.on(path, () => answers.info()), new FakeDriver());
    await use(fake.on("/deployment.v1alpha1.Provisioner/DriverCreateDeployment", () => answers.created("d")));
    const expected =
      /does not serve deployment\.v1alpha1: it has no DriverGetInfo; .*deployment\.v1alpha1\.Identity/;
    await assert.rejects(store.create({ ...settings(driver.endpoint), logicalName: "store" }), expected);
    await assert.rejects(deployment.create(ofDeployment()), expected);
    await assert.rejects(access.create(ofAccess()), expected);
    assert.deepEqual(driver.calls, []);
  });

  it("of another contract is told from it, and which one it serves is said [DEP-086]", async () => {
    await use(
      new FakeDriver().on(paths.getInfo, () => answers.info()).on(paths.create, () => answers.created("b")),
    );
    await assert.rejects(
      deployment.create(ofDeployment()),
      /does not serve deployment\.v1alpha1: .*it serves cosi\.v1alpha1.*Next: set contract of the Driver to "cosi\.v1alpha1"/s,
    );
    assert.deepEqual(new Set(driver.paths()), new Set(["DriverGetInfo"]));
  });

  it("that says ALREADY_EXISTS to a repeat and NOT_FOUND to a delete ends without a loop [DEP-087]", async () => {
    const strict = strictDriver();
    strict.refusesKnownNames = true;
    await use(strict.fake);
    strict.answer("create", { code: status.UNAVAILABLE, message: "reply lost" });
    let made: Properties = {};
    const lines = await printed(async () => ({ outputs: made } = await deployment.create(ofDeployment())));
    assert.equal(made["deploymentId"], made["name"]);
    assert.match(lines.join(), /^warning: deployment orders-\w+: the driver says that it exists/);
    const { inputs } = await deployment.check(made, ofDeployment());
    assert.deepEqual(await deployment.diff(made, inputs), { changes: false, replaces: [] });
    strict.buckets.clear();
    beginRun();
    assert.match(
      (await printed(() => deployment.delete(made))).join(),
      /the driver says NOT_FOUND where OK is due/,
    );
    assert.deepEqual(strict.rpcs(), ["Create", "Create", "Delete"]);
  });

  it("that says plain errors is tried three times, as they come as UNKNOWN [DEP-087]", async () => {
    await use(obligingDriver().on(paths.create, () => ({ code: status.UNKNOWN, message: "Error: oops" })));
    const failed = await failedResource(deployment.create(ofDeployment()));
    assert.match(failed.message, /DriverCreateDeployment: UNKNOWN: Error: oops \(3 attempts/);
    assert.equal(driver.bodies("DriverCreateBucket").length, 3);
    driver.on(paths.create, () => answers.created("d"));
    beginRun();
    await deployment.delete(wire(failed.properties));
    assert.equal(driver.bodies("DriverDeleteBucket").length, 1);
  });

  it("that revokes nothing, and has one id for all accounts, brings a warning of that [DEP-087]", async () => {
    await use(obligingDriver().on(paths.grant, () => answers.granted("admin")));
    let granted: Properties[] = [];
    const lines = await printed(async () => {
      granted = [
        (await access.create(ofAccess())).outputs,
        (await access.create(ofAccess({ logicalName: "orders-ro" }))).outputs,
      ];
    });
    assert.match(lines.join(), /^warning: access orders-ro-\w+: .*admin/);
    beginRun();
    for (const outputs of granted) await access.delete(outputs);
    assert.equal(driver.bodies("DriverRevokeBucketAccess").length, 2);
  });
});
