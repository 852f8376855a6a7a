import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { provider } from "../../../provider/deployment-access/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { contractsUnderTest } from "../../support/contracts-under-test";
import { paths } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { message } from "../../support/protobuf";
import { beginRun } from "../../support/run";

const { driverReference, obligingDriver } = contractsUnderTest.deployment;
const secret = "pw-of-an-account";

/** DriverGrantDeploymentAccessResponse with these entries. */
const granted = (entries: Readonly<Record<string, Readonly<Record<string, string>>>>): Buffer =>
  message(
    [1, "u"],
    ...Object.entries(entries).map(
      ([entry, secrets]) => [2, message([1, entry], [2, message([1, secrets])])] as const,
    ),
  );

describe("the credentials of a DeploymentAccess", () => {
  const access = new Lifecycle(provider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    const reference = driverReference(driver.endpoint);
    const ofIt = { deploymentName: "orders-1", deploymentId: "orders-1" };
    inputs = (changes = {}) => ({ driver: reference, logicalName: "orders-rw", ...ofIt, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  it("are all that the driver gave, under its own names, and secret [DEP-088] [DEP-068]", async () => {
    const entries = {
      cred: { DB_USER: "u", "a b": secret },
      replica: { DB_USER: "r", DB_PASSWORD: `2-${secret}` },
    };
    driver.on(paths.grant, () => granted(entries));
    const { outputs, raw } = await access.create(inputs());
    assert.deepEqual(outputs["credentials"], entries);
    const open = JSON.stringify(raw, (_, value: unknown) =>
      typeof value === "object" && value !== null && pulumi.runtime.specialSigKey in value
        ? "[secret]"
        : value,
    );
    assert.ok(!open.includes(secret), "a value stands outside of Pulumi's wrapper of secrets");
    for (const output of ["accessKeyId", "accessSecretKey", "endpoint", "region", "accessToken"]) {
      assert.ok(!(output in outputs), output);
    }
    const read = await access.read(outputs);
    assert.deepEqual(read.outputs, outputs);
    const { inputs: checked } = await access.check(read.inputs, inputs());
    assert.deepEqual(await access.diff(read.outputs, checked), { changes: false, replaces: [] });
  });

  it("of one entry keep its keys as they are [DEP-088]", async () => {
    driver.on(paths.grant, () => granted({ cred: { DB_USER: "u" } }));
    assert.deepEqual((await access.create(inputs())).outputs["credentials"], { cred: { DB_USER: "u" } });
  });

  it("are none where no entry has a value: an error with Key, a warning with IAM [DEP-045]", async () => {
    for (const nothing of [{}, { cred: {} }, { cred: { DB_USER: "" } }]) {
      driver.on(paths.grant, () => granted(nothing));
      beginRun();
      const before = driver.bodies("DriverRevokeBucketAccess").length;
      await assert.rejects(
        access.create(inputs()),
        /the driver issued no credentials.*Its account was revoked/s,
      );
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, before + 1);
      const iam = inputs({
        authenticationType: "IAM",
        logicalName: `role-${JSON.stringify(nothing).length}`,
      });
      const lines = await printed(() => access.create(iam));
      assert.match(lines.join(), /^warning: access role-.*the driver gave no credentials/);
      assert.equal(driver.bodies("DriverRevokeBucketAccess").length, before + 1);
    }
  });
});
