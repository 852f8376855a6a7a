import assert from "node:assert/strict";
import { kindOf } from "../../provider/plugin/kinds";
import { check, previewOfCreate, previewOfUpdate } from "../../provider/plugin/resource-calls";
import { containsUnknown } from "../../provider/dynamic/values";
import type { Properties } from "../support/lifecycle";
import { secret, unknown } from "./marks";

const reference = { contract: "cosi.v1alpha1", driverName: "cosi.example.com", seed: "00ff" };
const database = { ...reference, contract: "deployment.v1alpha1" };
const needed: Readonly<Record<string, Properties>> = {
  Bucket: { driver: reference },
  BucketAccess: { bucket: { name: "photos-1", bucketId: "photos-id", driver: reference } },
  Deployment: { driver: database },
  DeploymentAccess: { deployment: { name: "orders-1", deploymentId: "orders-id", driver: database } },
};

async function checked(type: string, inputs: Properties, olds: Properties = {}): Promise<Properties> {
  const urn = `urn:pulumi:dev::shop::cosi:index:${type}::one`;
  const news = { ...needed[type], ...inputs };
  const { inputs: judged, failures } = await check(kindOf(`cosi:index:${type}`), urn, olds, news);
  assert.deepEqual(failures, []);
  return judged;
}

/** Inputs as a plan that is saved holds them: without those whose names begin with two underscores. */
function planned(inputs: Properties): string[] {
  return Object.keys(inputs)
    .filter((name) => !name.startsWith("__") && inputs[name] !== undefined)
    .sort();
}

describe("a plan that is saved", () => {
  for (const type of Object.keys(needed)) {
    it(`has no input of a ${type} that only an up can know: a parameter that is secret`, async () => {
      // Some SDKs drop the mark of a value that is not known yet.
      const before = await checked(type, { parameters: { key: unknown } });
      const after = await checked(type, { parameters: { key: secret("hush") } });
      assert.deepEqual(planned(after), planned(before));
      assert.equal(after["__secretParameters"], true);
      assert.deepEqual(after["parameters"], { key: secret("hush") });
      const again = await checked(type, { parameters: { key: secret("hush") } }, after);
      assert.deepEqual(again, after);
    });
  }

  it("has no input of a Driver that only an up can know: an argument that is secret", async () => {
    const before = await checked("Driver", { command: ["cosi-driver-s3", unknown] });
    const after = await checked("Driver", { command: ["cosi-driver-s3", secret("--key=hush")] });
    assert.deepEqual(planned(after), planned(before));
    const { command, secretCommand } = previewOfCreate(kindOf("cosi:index:Driver"), after);
    assert.deepEqual([command, secretCommand], [["cosi-driver-s3", secret("--key=hush")], true]);
  });

  it("has no input of a BucketAccess that only an up can know: a place that is secret", async () => {
    const before = await checked("BucketAccess", { endpoint: unknown, region: unknown });
    const after = await checked("BucketAccess", { endpoint: secret("https://u:p@s3"), region: secret("eu") });
    assert.deepEqual(planned(after), planned(before));
  });
});

describe("the preview of an update of a Driver", () => {
  const kind = kindOf("cosi:index:Driver");
  const settings = { endpoint: "unix:///run/cosi/cosi.sock", contract: "cosi.v1alpha1" };
  const stateOf = (demandedDriverName: string | null): Properties => ({
    ...settings,
    driverName: "cosi.example.com",
    demandedDriverName,
    seed: "00ff",
    logicalName: "store",
    schemaVersion: 1,
  });
  const previewed = async (demanded: string | null, inputs: Properties): Promise<Properties> => {
    const before = demanded === null ? {} : { driverName: demanded };
    const olds = { inputs: await checked("Driver", { ...settings, ...before }), outputs: stateOf(demanded) };
    const news = await checked("Driver", { ...settings, ...inputs }, olds.inputs);
    return previewOfUpdate(kind, olds, news)["reference"] as Properties;
  };

  // What is not known in part no access knows at all, and it would go with its bucket.
  for (const [what, demanded, inputs, name] of [
    ["a name that it did not have", null, { driverName: "new.example.com" }, "new.example.com"],
    ["another name", "cosi.example.com", { driverName: "new.example.com" }, "new.example.com"],
    ["a name no more", "cosi.example.com", {}, "cosi.example.com"],
    ["the recorded name in other letters", null, { driverName: "COSI.example.com" }, "cosi.example.com"],
    ["another endpoint", null, { endpoint: "unix:///run/cosi/new.sock" }, "cosi.example.com"],
  ] as const) {
    it(`that demands ${what} knows all of its reference`, async () => {
      const told = await previewed(demanded, inputs);
      assert.ok(!containsUnknown(told), JSON.stringify(told));
      assert.deepEqual([told["driverName"], told["seed"]], [name, "00ff"]);
    });
  }

  it("that demands a name which is not known yet does not know it, and knows the seed", async () => {
    const told = await previewed(null, { driverName: unknown });
    assert.deepEqual([told["driverName"], told["seed"]], [unknown, "00ff"]);
  });
});
