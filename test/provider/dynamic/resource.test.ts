import assert from "node:assert/strict";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import { Bucket, BucketAccess, Driver } from "../../../index";
import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as driverProvider } from "../../../provider/driver-resource/provider";
import { withoutHidden } from "../../../provider/dynamic/state-properties";
import { wire } from "../../support/lifecycle";

const secretValue = "t0ken-of-the-driver";

describe("the resource classes", () => {
  const seen = new Map<string, Record<string, unknown>>();
  let made: { readonly driver: Driver; readonly bucket: Bucket; readonly access: BucketAccess };

  before(async () => {
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: ({ type, name, inputs }) => {
        seen.set(type, inputs as Record<string, unknown>);
        return { id: `${name}_id`, state: inputs as Record<string, unknown> };
      },
    });
    const environment = { TOKEN: secretValue };
    const driver = new Driver("store", { command: ["cosi-driver-s3"], environment });
    const bucket = new Bucket("photos", { driver, parameters: { tier: "gold" }, deletionPolicy: "Delete" });
    const access = new BucketAccess("photos-rw", { bucket, endpoint: "https://s3", protocol: "S3" });
    made = { driver, bucket, access };
    await new Promise((resolve) => access.urn.apply(resolve));
  });

  const inputsOf = (type: string): Record<string, unknown> =>
    wire(seen.get(`pulumi-nodejs:dynamic/cosi:${type}`) ?? assert.fail(`no ${type}`));

  it("make no output of what only the provider reads, or the program leaves out", () => {
    const { driver, bucket, access } = made;
    const unread = ["drift", "schemaVersion", "__schemaVersion", "adopted", "lostClaim", "granted"];
    const leftOut = ["defaultRegion", "existingAccount"];
    for (const resource of [driver, bucket, access]) {
      const outputs = Object.keys(resource);
      assert.deepEqual(
        [...unread, ...leftOut].filter((name) => outputs.includes(name)),
        [],
      );
    }
    assert.ok(Object.keys(access).includes("defaultEndpoint"));
  });

  for (const [type, file, provider] of [
    ["Driver", "driver-resource/provider", driverProvider],
    ["Bucket", "bucket/provider", bucketProvider],
    ["BucketAccess", "bucket-access/provider", accessProvider],
  ] as const) {
    it(`keep for a ${type} one constant line as its provider, with no value in it`, () => {
      const text = String(inputsOf(type)["__provider"]);
      assert.equal(text, `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`);
      assert.equal(exportOf(file), provider);
      for (const method of ["check", "diff", "create", "read", "update", "delete"] as const) {
        assert.equal(typeof provider[method], "function", method);
      }
    });

    it(`give a ${type} the type token that Pulumi knows its class by`, () => {
      assert.ok(seen.has(`pulumi-nodejs:dynamic/cosi:${type}`));
    });
  }

  it("mark the environment of a driver as secret", () => {
    const open = JSON.stringify([...seen.values()], (_, value: unknown) =>
      typeof value === "object" && value !== null && pulumi.runtime.specialSigKey in value
        ? "[secret]"
        : value,
    );
    assert.ok(!open.includes(secretValue));
    assert.ok(JSON.stringify([...seen.values()]).includes(secretValue), "it reaches the provider");
  });

  it("fill in the waits that the documentation names, and nothing else", () => {
    const { __provider, ...driver } = inputsOf("Driver");
    assert.ok(__provider);
    assert.deepEqual(Object.keys(driver).sort(), [
      "__internal",
      "callTimeoutSeconds",
      "command",
      "connectTimeoutSeconds",
      "contract",
      "environment",
      "firstRetryDelayMilliseconds",
      "retryBudgetSeconds",
    ]);
    assert.deepEqual(
      [driver["contract"], driver["connectTimeoutSeconds"], driver["callTimeoutSeconds"]],
      ["cosi.v1alpha1", 30, 60],
    );
    assert.deepEqual([driver["retryBudgetSeconds"], driver["firstRetryDelayMilliseconds"]], [120, 200]);
  });

  it("give a bucket and an access the way to their driver, and an access its bucket", () => {
    const bucket = inputsOf("Bucket");
    assert.equal(withoutHidden(bucket)["logicalName"], "photos");
    assert.deepEqual(bucket["parameters"], { tier: "gold" });
    const access = inputsOf("BucketAccess");
    assert.equal(withoutHidden(access)["logicalName"], "photos-rw");
    assert.equal(access["bucketName"], "photos_id");
    assert.equal(access["defaultEndpoint"], "https://s3");
    assert.ok(!("bucket" in access) && !("endpoint" in access));
    for (const { driver } of [bucket, access] as { driver: Record<string, unknown> }[]) {
      assert.deepEqual(driver["command"], ["cosi-driver-s3"]);
      assert.equal(driver["contract"], "cosi.v1alpha1");
      assert.equal(driver["id"], "store_id");
    }
  });

  it("take an argument of a Driver that is null for one that is left out", async () => {
    const nulls: object = {
      tls: null,
      command: null,
      environment: null,
      callTimeoutSeconds: null,
      retryBudgetSeconds: pulumi.output(null),
    };
    const driver = new Driver("plain", { endpoint: "unix:///a.sock", ...nulls });
    const bucket = new Bucket("of-plain", { driver });
    await new Promise((resolve) => bucket.urn.apply(resolve));
    const reference = inputsOf("Bucket")["driver"];
    assert.deepEqual(reference, {
      contract: "cosi.v1alpha1",
      endpoint: "unix:///a.sock",
      id: "plain_id",
      retryBudgetSeconds: null,
    });
  });
});

/** What the text of a provider loads from this file; here by its path, as the package's name leads to `dist`. */
function exportOf(file: string): unknown {
  const loaded: unknown = createRequire(__filename)(`../../../provider/${file}`);
  return typeof loaded === "object" && loaded !== null && "provider" in loaded ? loaded.provider : undefined;
}
