import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import {
  DriverCreateDeploymentRequest,
  DriverDeleteDeploymentRequest,
} from "../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { provider as accessProvider } from "../../../provider/deployment-access/provider";
import { provider as deploymentProvider } from "../../../provider/deployment/provider";
import { closeConnections } from "../../../provider/driver/connections";
import { contractsUnderTest } from "../../support/contracts-under-test";
import { paths, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const { driverReference, obligingDriver } = contractsUnderTest.deployment;
const password = "t0ken-of-a-parameter";

describe("secrets of deployments", () => {
  const deployment = new Lifecycle(deploymentProvider);
  const access = new Lifecycle(accessProvider);
  let driver: FakeDriver;
  let secret: Properties;

  beforeEach(async () => {
    beginRun();
    driver = await obligingDriver().start();
    secret = {
      driver: driverReference(driver.endpoint),
      logicalName: "orders",
      parameters: { password },
      secretParameters: true,
    };
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  const body = (rpc: string): Buffer => Buffer.from(driver.bodies(rpc).at(-1) ?? "", "hex");

  it("that are parameters reach create and delete in plain text, and the state marked as secret [DEP-067]", async () => {
    const { outputs, raw } = await deployment.create({ ...secret, deletionPolicy: "Delete" });
    assert.deepEqual(raw["parameters"], {
      password: { [pulumi.runtime.specialSigKey]: pulumi.runtime.specialSecretSig, value: password },
    });
    beginRun();
    await deployment.delete(outputs);
    const created = DriverCreateDeploymentRequest.decode(body("DriverCreateBucket"));
    assert.deepEqual(Object.fromEntries(created.parameters), { password });
    const deleted = DriverDeleteDeploymentRequest.decode(body("DriverDeleteBucket"));
    assert.deepEqual(Object.fromEntries(deleted.deleteContext), { password });
  });

  it("stay out of errors, warnings and the trace of calls [DEP-068]", async () => {
    driver.on(paths.delete, () => ({ code: status.NOT_FOUND, message: `no ${password}` }));
    driver.on(paths.revoke, () => ({
      code: status.PERMISSION_DENIED,
      message: `key ${secretKey} is locked`,
    }));
    const before = process.env["PULUMI_COSI_TRACE"];
    process.env["PULUMI_COSI_TRACE"] = "1";
    const texts: string[] = [];
    try {
      const lines = await printed(async () => {
        const made = await deployment.create({ ...secret, deletionPolicy: "Delete" });
        const { deploymentId } = made.outputs;
        const ofIt = { deploymentName: made.id, deploymentId, logicalName: "orders-rw" };
        const granted = await access.create({ ...secret, ...ofIt });
        beginRun();
        await access.delete(granted.outputs).catch((error: unknown) => texts.push(String(error)));
        await deployment.delete(made.outputs);
      });
      texts.push(...lines);
    } finally {
      if (before === undefined) delete process.env["PULUMI_COSI_TRACE"];
      else process.env["PULUMI_COSI_TRACE"] = before;
    }
    assert.match(texts[0] ?? "", /PERMISSION_DENIED: key \[secret\] is locked/);
    const traced = texts.filter((text) => text.startsWith("rpc ")).join("\n");
    for (const rpc of ["Create", "Delete"]) assert.match(traced, new RegExp(`Driver${rpc}Deployment `));
    assert.match(traced, /DriverGrantDeploymentAccess OK \d+ ms .*"credentials":"\[secret\]"/);
    for (const text of texts) {
      for (const value of [password, secretKey, "AKEXAMPLE"]) assert.ok(!text.includes(value), text);
    }
  });
});
