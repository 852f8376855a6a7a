import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { contractNames, type ContractName } from "../../../provider/contracts/contract";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as deploymentAccessProvider } from "../../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { driversOfRun } from "../../../provider/run/drivers";
import { handlerReference, paths as february } from "../../support/cosi-2020-02";
import { StoringHandler } from "../../support/cosi-2020-02/storing-handler";
import { controllerReference, provisioner } from "../../support/cosi-2020-07";
import { StoringController } from "../../support/cosi-2020-07/storing-controller";
import { obligingDriver, paths } from "../../support/cosi-v1alpha1";
import { Lifecycle, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { driverReference } from "../../support/settings";

const own = "rgw.example.com";

describe("a Driver whose contract is changed", () => {
  const drivers = new Lifecycle(driverProvider);
  const buckets = new Lifecycle(bucketProvider);
  const accesses = new Lifecycle(accessProvider);
  const deployments = new Lifecycle(deploymentProvider);
  const deploymentAccesses = new Lifecycle(deploymentAccessProvider);
  /** Each serves an older contract and cosi.v1alpha1, on one socket. */
  let handler: StoringHandler;
  let controller: StoringController;

  beforeEach(async () => {
    beginRun();
    handler = new StoringHandler();
    controller = new StoringController();
    for (const { fake } of [handler, controller]) obligingDriver(own, fake);
    await Promise.all([handler.start(), controller.start()]);
  });

  afterEach(async () => {
    await closeConnections();
    handler.fake.stop();
    controller.fake.stop();
  });

  const newer = (endpoint: string): Properties => ({ ...driverReference(endpoint, { driverName: own }) });
  const ofBucket = (driver: unknown): Properties => ({ driver, logicalName: "photos", name: "photos" });
  const ofAccess = (driver: unknown): Properties => ({
    driver,
    logicalName: "photos-rw",
    bucketName: "photos",
    bucketId: "photos",
    name: "photos-rw",
  });
  /** What is said of a resource in the state whose Driver has another reference now. */
  const failuresOf = async (
    resource: Lifecycle,
    given: (driver: unknown) => Properties,
    before: object,
    after: object,
  ): Promise<string[]> => {
    beginRun();
    return (await resource.check(given(before), given(after))).failures;
  };

  const ofDeployments: readonly ContractName[] = ["deployment.v1alpha1", "database.v1alpha1"];
  const isOfBuckets = (contract: ContractName): boolean => !ofDeployments.includes(contract);

  for (const before of contractNames.filter(isOfBuckets)) {
    for (const after of contractNames.filter((name) => isOfBuckets(name) && name !== before)) {
      it(`is refused in the preview of what is in the state, from ${before} to ${after} [GRPC-015]`, async () => {
        const reference = driverReference("unix:///run/cosi/cosi.sock", { contract: before });
        const changed = { ...reference, contract: after };
        // Also where the preview knows nothing of the updated Driver but its inputs.
        const inPreview = { ...changed, driverName: pulumi.runtime.unknownValue };
        for (const news of [changed, inPreview]) {
          const [ofIt = ""] = await failuresOf(buckets, ofBucket, reference, news);
          assert.equal(
            ofIt,
            `driver now has the contract ${after}, but the bucket photos was made by ${before}, whose ids mean nothing in another ` +
              `contract. Next: leave this Driver at ${before}, and add a second Driver with ${after}; the bucket is taken over ` +
              "there by existingBucketId.",
          );
          const said = (await failuresOf(accesses, ofAccess, reference, news)).join();
          assert.match(
            said,
            new RegExp(`the access photos-rw was made by ${before},.*the access is made again there`),
          );
        }
      });
    }
  }

  it("is refused under a deployment in the deployment's own words", async () => {
    const reference = driverReference("unix:///run/db.sock", { contract: "deployment.v1alpha1" });
    const changed = { ...reference, contract: "cosi.v1alpha1" };
    const [said = ""] = await failuresOf(deployments, ofBucket, reference, changed);
    assert.match(said, /the deployment photos was made by .*is taken over there by existingDeploymentId/);
  });

  it("is a change in place between the packages whose ids are the same bytes [DEP-089]", async () => {
    const ofIt = (driver: unknown): Properties => ({
      ...{ driver, logicalName: "a", name: "a", deploymentName: "d", deploymentId: "d" },
    });
    for (const [before, after] of [ofDeployments, [...ofDeployments].reverse()]) {
      const [reference, changed] = [before, after].map((contract) => ({
        ...driverReference("unix:///run/db.sock"),
        contract,
      }));
      assert.deepEqual(await failuresOf(deployments, ofBucket, reference ?? {}, changed ?? {}), []);
      assert.deepEqual(await failuresOf(deploymentAccesses, ofIt, reference ?? {}, changed ?? {}), []);
    }
  });

  it("fails no check where one of the contracts is not known, or nothing is in the state", async () => {
    const reference = driverReference("unix:///run/cosi/cosi.sock");
    const unknown = { ...reference, contract: pulumi.runtime.unknownValue };
    assert.deepEqual(await failuresOf(buckets, ofBucket, reference, unknown), []);
    beginRun();
    assert.deepEqual((await buckets.check({}, ofBucket(reference))).failures, []);
  });

  it("is another one under another Driver resource: what is made there is replaced, at whatever place", async () => {
    const { fake } = controller;
    const bucket = (await buckets.create(ofBucket(controllerReference(fake.endpoint)))).outputs;
    const access = (await accesses.create(ofAccess(controllerReference(fake.endpoint)))).outputs;
    const second = { ...newer(fake.endpoint), seed: "fe".repeat(16) };
    // A contract without a call for the name may have any, also that which the driver gives itself.
    const asNamed = (olds: Properties): Properties => ({
      ...olds,
      driver: { ...(olds["driver"] as Properties), driverName: own },
    });
    beginRun();
    for (const olds of [bucket, asNamed(bucket)]) {
      const news = { ...ofBucket(second), name: undefined, existingBucketId: "photos" };
      const { inputs, failures } = await buckets.check(olds, news);
      assert.deepEqual(failures, []);
      assert.ok((await buckets.diff(olds, inputs)).replaces?.includes("driver"));
    }
    for (const olds of [access, asNamed(access)]) {
      const { inputs, failures } = await accesses.check(olds, ofAccess(second));
      assert.deepEqual(failures, []);
      assert.deepEqual((await accesses.diff(olds, inputs)).replaces, ["driver"]);
    }
    // The old one is revoked as it was granted.
    await accesses.delete(access);
    assert.deepEqual([controller.rpcs().at(-1), controller.accounts.size], ["revoke", 0]);
  });

  /** The Driver of a stack, moved in this run to another contract. */
  const change = async (before: Properties, after: Properties): Promise<void> => {
    const { seed, ...settings } = { ...before, logicalName: "store" } as Properties;
    const olds = { ...settings, seed, demandedDriverName: before["driverName"], schemaVersion: 1 };
    beginRun();
    await drivers.diff(olds, { ...after, logicalName: "store" });
    await drivers.update(olds, { ...after, logicalName: "store" });
  };

  it("revokes by the contract that has granted, with the ids of that one, at the place where the driver is now [GRPC-015]", async () => {
    const before = { ...controllerReference("unix:///run/gone.sock") };
    const { endpoint } = controller.fake;
    const { outputs } = await accesses.create(ofAccess(controllerReference(endpoint)));
    assert.equal(controller.accounts.size, 1);
    await change(before, newer(endpoint));
    await accesses.delete({ ...outputs, driver: before });
    assert.deepEqual([controller.rpcs(), controller.accounts.size], [["grant", "revoke"], 0]);
    assert.ok(!controller.fake.paths().includes("DriverRevokeBucketAccess"));
  });

  it("asks a driver for its name as the earlier contract did, and by that one's call", async () => {
    const before = controllerReference(controller.fake.endpoint, { identityMethod: paths.getInfo });
    const { outputs } = await accesses.create(ofAccess(before));
    await change({ ...before }, newer(before.endpoint ?? ""));
    const current = driversOfRun.current(before);
    assert.deepEqual([current.driverName, current.identityMethod], [provisioner, paths.getInfo]);
    await accesses.delete(outputs);
    assert.equal(controller.accounts.size, 0);
  });

  it("leaves none of its calls' own to what is granted by a later contract, on the way back", async () => {
    const { endpoint } = controller.fake;
    const { outputs } = await accesses.create(ofAccess(newer(endpoint)));
    await change(newer(endpoint), { ...controllerReference(endpoint, { identityMethod: paths.getInfo }) });
    await accesses.delete(outputs);
    assert.equal(controller.fake.paths().at(-1), "DriverRevokeBucketAccess");
    assert.deepEqual(controller.rpcs(), []);
  });

  it("revokes the account that came with a bucket, which by the new contract would have none [K02-097]", async () => {
    const before = handlerReference(handler.fake.endpoint);
    const { outputs } = await buckets.create(ofBucket(before));
    assert.equal(handler.accounts.size, 1);
    await change({ ...before }, newer(before.endpoint ?? ""));
    await buckets.delete(outputs);
    assert.equal(handler.accounts.size, 0);
    assert.equal(handler.fake.calls.at(-1)?.path, february.revoke);
  });

  it("goes over to the sister package with all that was made, where the driver may serve that alone", () => {
    const before = driverReference("unix:///run/db.sock", { contract: "database.v1alpha1" });
    driversOfRun.note({ ...before, contract: "deployment.v1alpha1" });
    assert.equal(driversOfRun.current(before).contract, "deployment.v1alpha1");
  });

  it("names the second Driver as the way on where the driver has another name by the new contract, and takes it where nothing was made", async () => {
    const before = { ...controllerReference(controller.fake.endpoint), logicalName: "store" };
    const { outputs } = await drivers.create(before);
    const after = { ...newer(controller.fake.endpoint), logicalName: "store" };
    await assert.rejects(drivers.update(outputs, { ...after, driverName: "rgw.other" }), {
      message:
        `the driver at ${controller.fake.endpoint} calls itself "${own}", but "rgw.other" is expected. Next: leave this Driver at ` +
        "the contract cosi-2020-07, the only one that knows what was made with it, and add a second one with cosi.v1alpha1 and " +
        `driverName "${own}"; if nothing was made with it, set driverName to that.`,
    });
    const updated = await drivers.update(outputs, after);
    assert.deepEqual([updated["contract"], updated["driverName"]], ["cosi.v1alpha1", own]);
  });
});
