import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { Deployment, type DeploymentArgs } from "../../../provider/deployment/deployment";
import { provider } from "../../../provider/deployment/provider";
import { Driver } from "../../../provider/driver-resource/driver";
import { closeConnections } from "../../../provider/driver/connections";
import { contractsUnderTest } from "../../support/contracts-under-test";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, wire, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";

const { driverReference, obligingDriver } = contractsUnderTest.deployment;

describe("the specification's words for a deployment's arguments", () => {
  const deployment = new Lifecycle(provider);
  const given = new Map<string, Properties>();
  let driver: FakeDriver;

  before(async () => {
    driver = await obligingDriver().start();
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: ({ name, inputs }) => {
        given.set(name, wire(inputs));
        return { id: name, state: inputs as Properties };
      },
    });
  });

  beforeEach(beginRun);
  after(async () => {
    await closeConnections();
    driver.stop();
  });

  const make = (name: string, args: Omit<DeploymentArgs, "driver">): Deployment => {
    const store = new Driver(`store-of-${name}`, {
      contract: "deployment.v1alpha1",
      endpoint: driver.endpoint,
    });
    return new Deployment(name, { driver: store, ...args });
  };

  it("mean the same as name and parameters, byte for byte [DEP-003]", async () => {
    const parameters = { k: "v", " x ": "" };
    const spellings: Readonly<Record<string, Omit<DeploymentArgs, "driver">>> = {
      own: { name: "b1", parameters },
      of_the_seed: { deploymentName: "b1", deploymentContext: parameters },
      mixed: { name: "b1", deploymentContext: parameters },
    };
    for (const [name, args] of Object.entries(spellings)) {
      const { urn } = make(name, args);
      await new Promise((resolve) => urn.apply(resolve));
      const inputs = { ...given.get(name), driver: driverReference(driver.endpoint) };
      assert.ok(!("deploymentName" in inputs) && !("deploymentContext" in inputs));
      beginRun();
      await deployment.create(inputs);
    }
    const bodies = driver.bodies("DriverCreateBucket");
    assert.equal(bodies.length, 3);
    assert.equal(new Set(bodies).size, 1);
  });

  it("are refused beside name and parameters, with both inputs named [DEP-003]", () => {
    assert.throws(
      () => make("both", { name: "a", deploymentName: "a" }),
      /^Error: Deployment both: name and deploymentName are both given/,
    );
    assert.throws(
      () => make("both", { parameters: {}, deploymentContext: {} }),
      /^Error: Deployment both: parameters and deploymentContext are both given/,
    );
  });
});
