import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as grpc from "@grpc/grpc-js";
import { isSecretOutput } from "../../provider/dynamic/values";
import { contractsUnderTest } from "../support/contracts-under-test";
import { obligingController, paths as julyPaths, provisioner } from "../support/cosi-2020-07";
import { answers, driverName, obligingDriver, paths, secretKey } from "../support/cosi-v1alpha1";
import type { FakeDriver } from "../support/fake-driver";
import type { Properties } from "../support/lifecycle";
import { message } from "../support/protobuf";
import { failedResourceOf } from "../support/provider-host";
import { PluginProcess, type PluginResource } from "./plugin-process";
import { RecordingEngine } from "./recording-engine";
import { secret, unknown } from "./marks";

const repository = path.join(__dirname, "..", "..");

const urn = (type: string, name: string, parents = ""): string =>
  `urn:pulumi:dev::shop::${parents}cosi:index:${type}::${name}`;
const store = urn("Driver", "store");
const photos = urn("Bucket", "photos");
const readers = urn("BucketAccess", "photos-rw");

interface SchemaResource {
  readonly properties: Readonly<Record<string, { readonly secret?: boolean }>>;
}

/** Inputs of a Driver whose failures need not be waited for. */
const waits = {
  connectTimeoutSeconds: 5,
  callTimeoutSeconds: 5,
  retryBudgetSeconds: 1,
  firstRetryDelayMilliseconds: 10,
};

describe("the plugin for other languages, as the engine speaks to it", function () {
  this.timeout(60_000);
  let engine: RecordingEngine;
  let plugin: PluginProcess;
  let driver: FakeDriver;

  before(async () => {
    engine = await new RecordingEngine().start();
    plugin = await PluginProcess.start(engine);
  });
  after(async () => {
    await plugin.kill();
    engine.kill();
  });

  // Each on a socket of its own, so that no run knows of another one's resources.
  beforeEach(async () => {
    driver = await obligingDriver().start();
  });
  afterEach(() => {
    driver.stop();
  });

  const makeDriver = (inputs: Properties = {}): Promise<PluginResource> =>
    plugin.make(store, { endpoint: driver.endpoint, ...waits, ...inputs });

  const makeBucket = async (inputs: Properties = {}): Promise<PluginResource> => {
    const { outputs } = await makeDriver();
    return plugin.make(photos, { driver: outputs["reference"], deletionPolicy: "Delete", ...inputs });
  };

  const makeAccess = async (inputs: Properties = {}): Promise<PluginResource> => {
    const { outputs } = await makeBucket();
    return plugin.make(readers, { bucket: outputs["reference"], ...inputs });
  };

  it("it says what it can: secrets and previews, and no references to resources", async () => {
    const hands = await plugin.handshake(engine);
    assert.deepEqual(
      [hands.getAcceptSecrets(), hands.getAcceptResources(), hands.getAcceptOutputs()],
      [true, false, false],
    );
    const configured = await plugin.configure();
    assert.deepEqual(
      [configured.getAcceptsecrets(), configured.getSupportspreview(), configured.getAcceptresources()],
      [true, true, false],
    );
  });

  it("it tells the package's version and a schema of that version", async () => {
    const { version, name } = await plugin.schema();
    assert.equal((await plugin.info()).getVersion(), version);
    assert.equal(name, "cosi");
    await assert.rejects(plugin.schema(7), /there is no schema of version 7/);
  });

  it("its provider resource takes what it is given and never replaces anything", async () => {
    assert.deepEqual(await plugin.checkConfig({ version: "0.1.0" }), { version: "0.1.0" });
    assert.equal(await plugin.diffConfig({}, { version: "0.2.0" }), 1);
  });

  it("it ends no call on cancel, and says of what it has not that it has not", async () => {
    await plugin.cancel();
    for (const method of ["construct", "invoke", "call", "parameterize"] as const) {
      assert.equal(await plugin.codeOf(method), grpc.status.UNIMPLEMENTED, method);
    }
    assert.equal(await plugin.mappings(), "");
  });

  it("a type that it does not have is named, with those that it has", async () => {
    await assert.rejects(
      plugin.check(urn("Buckets", "photos"), {}),
      /"cosi:index:Buckets" is no resource .* cosi:index:Bucket,/,
    );
  });

  it("a driver, a bucket and an access live from create to delete, through the calls of the contract", async () => {
    const bucket = await makeBucket();
    const access = await plugin.make(readers, { bucket: bucket.outputs["reference"] });
    assert.equal(access.outputs["bucketName"], bucket.id);
    assert.equal(access.outputs["endpoint"], "http://127.0.0.1:9");
    // What a run has made it does not delete, so that a renamed resource keeps its bucket: destroy is another run.
    const destroy = await PluginProcess.start(engine);
    try {
      await destroy.delete(readers, access);
      await destroy.delete(photos, bucket);
    } finally {
      await destroy.kill();
    }
    assert.deepEqual(driver.paths(), [
      "DriverGetInfo",
      "DriverCreateBucket",
      "DriverGrantBucketAccess",
      "DriverGetInfo",
      "DriverRevokeBucketAccess",
      "DriverDeleteBucket",
    ]);
  });

  it("credentials come marked as secret, and so does all that was secret in the program", async () => {
    const { outputs, inputs } = await makeAccess({ parameters: { note: secret("a secret word") } });
    for (const key of ["credentials", "accessSecretKey", "granted", "accessKeyId"]) {
      assert.equal((outputs[key] as Properties)["value"] === undefined, false, `${key} is marked`);
    }
    assert.deepEqual(inputs["parameters"], { note: secret("a secret word") });
    assert.deepEqual(outputs["parameters"], { note: secret("a secret word") });
    assert.equal(JSON.stringify(outputs).split(secretKey).length > 1, true);
  });

  it("a driver's environment and private key are secret, in its reference too, and whoever takes that keeps them so", async () => {
    const { inputs } = await plugin.check(store, {
      command: ["cosi-driver-s3"],
      environment: { KEY: "hush" },
    });
    assert.deepEqual(inputs["environment"], secret({ KEY: "hush" }));
    const tls = { key: "PEM" };
    const checked = await plugin.check(store, { endpoint: "dns:///cosi.example.com:1", tls });
    assert.deepEqual((checked.inputs["tls"] as Properties)["key"], secret("PEM"));
    const { outputs } = await plugin.previewCreate(store, inputs);
    const { value } = outputs["reference"] as { readonly value: Properties };
    assert.deepEqual(outputs["reference"], secret(value));
    assert.deepEqual(value["environment"], { KEY: "hush" });
    const reference = secret({ ...value, driverName, seed: "00" });
    const bucket = await plugin.check(photos, { driver: reference });
    assert.deepEqual(bucket.failures, []);
    const driver = bucket.inputs["driver"] as Properties;
    assert.deepEqual([driver["environment"], driver["seed"]], [secret({ KEY: "hush" }), "00"]);
  });

  /** Has the driver grant without telling where the store is. */
  const tellNoPlace = (): void => {
    const keys = { accessKeyID: "AKEXAMPLE", accessSecretKey: secretKey };
    driver.on(paths.grant, () => answers.granted("account-id", keys));
  };

  it("what comes from a secret input is a secret output, though the provider knows the input by another name", async () => {
    tellNoPlace();
    const places = [secret("http://user:pw@one"), secret("http://user:pw@two")];
    const access = await makeAccess({ endpoint: places[0], region: secret("eu-9") });
    assert.deepEqual([access.outputs["endpoint"], access.outputs["region"]], [places[0], secret("eu-1")]);
    assert.deepEqual((await plugin.read(readers, access)).outputs, access.outputs);
    const news = { bucket: access.inputs["bucket"], endpoint: places[1], region: "eu-9" };
    const { inputs } = await plugin.check(readers, news, access.inputs);
    const { outputs } = await plugin.update(readers, access, inputs);
    assert.deepEqual([outputs["endpoint"], outputs["region"]], [places[1], "eu-1"]);
  });

  it("an address with a signature in it is a secret output, and one without is none [GRPC-084]", async () => {
    const signed = "https://store.example.com/c?sv=2024&sig=hunter2hunter2";
    const keys = { accessKeyID: "AKEXAMPLE", accessSecretKey: secretKey, endpoint: signed };
    driver.on(paths.grant, () => answers.granted("account-id", keys));
    const access = await makeAccess();
    assert.deepEqual(access.outputs["endpoint"], secret(signed));
    const { outputs } = await plugin.read(readers, access);
    assert.deepEqual(outputs["endpoint"], secret(signed));
    driver.on(paths.grant, () => answers.granted("other-id", { ...keys, endpoint: "https://s3" }));
    const other = await plugin.make(urn("BucketAccess", "other"), { bucket: access.inputs["bucket"] });
    assert.equal(other.outputs["endpoint"], "https://s3");
  });

  it("an address with a password in what is told of a bucket is secret in its reference too [GRPC-084]", async () => {
    const endpoint = "https://app:hunter2hunter2@store.example.com";
    const july = await obligingController()
      .on(julyPaths.create, () =>
        message([1, message([1, "photos"], [2, message([4, message([1, { endpoint }])])], [3, provisioner])]),
      )
      .start();
    try {
      const made = await plugin.make(urn("Driver", "july"), {
        endpoint: july.endpoint,
        ...waits,
        contract: "cosi-2020-07",
        driverName: provisioner,
      });
      const bucket = await plugin.make(urn("Bucket", "july-photos"), {
        driver: made.outputs["reference"],
        name: "photos",
      });
      const { reference } = bucket.outputs;
      assert.ok(isSecretOutput(reference) && JSON.stringify(reference).includes(endpoint));
      const access = await plugin.make(urn("BucketAccess", "july-rw"), { bucket: reference });
      const { bucketInfo } = access.inputs["bucket"] as Properties;
      assert.ok(isSecretOutput(bucketInfo));
      assert.deepEqual(bucketInfo, bucket.outputs["bucketInfo"]);
      const marked = (value: unknown): string =>
        JSON.stringify(value, (_key, part: unknown) => (isSecretOutput(part) ? "[secret]" : part));
      for (const state of [access.inputs, access.outputs, bucket.outputs]) {
        assert.ok(!marked(state).includes("hunter2"), marked(state));
      }
    } finally {
      july.stop();
    }
  });

  it("an input that is marked as secret later is an update, which marks what comes from it", async () => {
    tellNoPlace();
    const access = await makeAccess({ endpoint: "http://one" });
    const news = { bucket: access.inputs["bucket"], endpoint: secret("http://one") };
    const { inputs } = await plugin.check(readers, news, access.inputs);
    const found = await plugin.diff(readers, access, inputs);
    assert.deepEqual([found.changes, found.replaces], [true, []]);
    const updated = await plugin.update(readers, access, inputs);
    assert.deepEqual(updated.outputs["endpoint"], secret("http://one"));
    assert.equal((await plugin.diff(readers, updated, inputs)).changes, false);
  });

  it("an unchanged resource has no difference and sends nothing", async () => {
    const access = await makeAccess();
    const calls = driver.paths().length;
    const { inputs } = await plugin.check(readers, { bucket: access.inputs["bucket"] }, access.inputs);
    const found = await plugin.diff(readers, access, inputs);
    assert.deepEqual([found.changes, found.replaces, found.detailed], [false, [], {}]);
    assert.equal(driver.paths().length, calls);
  });

  it("a preview of a create knows the inputs, and that nothing else is known", async () => {
    const { inputs } = await plugin.check(store, { endpoint: driver.endpoint });
    const { id, outputs } = await plugin.previewCreate(store, inputs);
    assert.equal(id, "");
    assert.equal(outputs["endpoint"], driver.endpoint);
    assert.deepEqual([outputs["driverName"], outputs["seed"]], [unknown, unknown]);
    assert.deepEqual(driver.paths(), []);
  });

  it("a first preview passes where a reference is not known, whatever it will be", async () => {
    const bucket = await plugin.check(photos, { driver: unknown, parameters: { long: "x".repeat(5000) } });
    assert.deepEqual(bucket.failures, []);
    assert.equal(bucket.inputs["driver"], unknown);
    const { outputs } = await plugin.previewCreate(photos, bucket.inputs);
    assert.equal((outputs["reference"] as Properties)["bucketId"], unknown);
    const access = await plugin.check(readers, { bucket: unknown });
    assert.deepEqual([access.failures, access.inputs["bucket"]], [[], unknown]);
    const database = await plugin.check(urn("Deployment", "orders"), { driver: unknown, name: "my_orders" });
    assert.deepEqual(database.failures, []);
  });

  it("a preview of an update keeps what an update keeps, so that what depends on it is no change", async () => {
    const bucket = await makeBucket();
    const { inputs } = await plugin.check(
      photos,
      { driver: bucket.inputs["driver"], deletionPolicy: "Retain" },
      bucket.inputs,
    );
    const found = await plugin.diff(photos, bucket, inputs);
    assert.deepEqual([found.changes, found.replaces], [true, []]);
    assert.equal(found.detailed["deletionPolicy"], "UPDATE");
    const calls = driver.paths().length;
    const { outputs } = await plugin.update(photos, bucket, inputs, true);
    assert.deepEqual(outputs["reference"], bucket.outputs["reference"]);
    assert.equal(outputs["deletionPolicy"], "Retain");
    assert.equal(driver.paths().length, calls);
    assert.equal(
      (await plugin.update(photos, bucket, inputs)).outputs["bucketId"],
      bucket.outputs["bucketId"],
    );
  });

  it("a replacement is told with the program's names of what causes it, and deletes first", async () => {
    const access = await makeAccess();
    const bucket = { ...(access.inputs["bucket"] as Properties), name: "other", bucketId: "other" };
    const { inputs } = await plugin.check(
      readers,
      { bucket, endpoint: "http://x", parameters: { a: "b" } },
      access.inputs,
    );
    const found = await plugin.diff(readers, access, inputs);
    assert.deepEqual(found.replaces, ["bucket", "parameters"]);
    assert.equal(found.deleteBeforeReplace, true);
    assert.deepEqual(found.detailed, {
      "bucket.name": "UPDATE_REPLACE",
      "bucket.bucketId": "UPDATE_REPLACE",
      parameters: "ADD_REPLACE",
      endpoint: "ADD",
    });
    assert.deepEqual(found.stables, ["name", "accountId"]);
  });

  it("an access goes with its bucket, of which the engine asks before it deletes that", async () => {
    const access = await makeAccess();
    const found = await plugin.diff(readers, access, { ...access.inputs, bucket: unknown });
    assert.deepEqual(found.replaces, ["bucket"]);
  });

  it("a rotation is replaced in the other order: the new account first", async () => {
    const access = await makeAccess({ rotation: { trigger: "one" } });
    const { inputs } = await plugin.check(
      readers,
      { bucket: access.inputs["bucket"], rotation: { trigger: "two" } },
      access.inputs,
    );
    const found = await plugin.diff(readers, access, inputs);
    assert.deepEqual([found.replaces, found.deleteBeforeReplace], [["rotation"], false]);
  });

  it("a bucket with data is protected from a replacement that deletes it", async () => {
    const bucket = await makeBucket();
    const { inputs } = await plugin.check(
      photos,
      { driver: bucket.inputs["driver"], deletionPolicy: "Delete", parameters: { class: "cold" } },
      bucket.inputs,
    );
    await assert.rejects(plugin.diff(photos, bucket, inputs), /would delete its data. Next: /);
  });

  it("a refresh gives back what is there, with the program's inputs, and sends nothing", async () => {
    const access = await makeAccess({ region: "eu-9" });
    const calls = driver.paths().length;
    const seen = await plugin.read(readers, access);
    assert.deepEqual(seen.inputs, access.inputs);
    assert.deepEqual({ ...seen.outputs }, { ...access.outputs });
    assert.equal(driver.paths().length, calls);
  });

  it("an entry goes without a call that its own resource was created again for: what has stayed is told, and the way on", async () => {
    const { outputs } = await makeBucket();
    const twice = urn("BucketAccess", "photos-twice");
    const access = await plugin.make(twice, { bucket: outputs["reference"] });
    const again = await plugin.make(twice, { bucket: outputs["reference"] });
    assert.equal(again.id, access.id);
    engine.told.length = 0;
    const calls = driver.paths().length;
    await plugin.delete(twice, access);
    assert.equal(driver.paths().length, calls);
    const warnings = engine.told.filter(({ message }) => message.includes("nothing was replaced"));
    assert.equal(warnings.length, 1);
    assert.deepEqual([warnings[0]?.severity, warnings[0]?.urn], ["WARNING", twice]);
    assert.match(
      warnings[0]?.message ?? "",
      /so the old account is as it was. Next: set the option deleteBeforeReplace/,
    );
  });

  it("nothing is told of an entry that goes before the new one comes, or for a bucket that stays in any case", async () => {
    const access = await makeAccess();
    const kept = urn("Bucket", "kept");
    const { outputs } = await makeDriver();
    const bucket = await plugin.make(kept, { driver: outputs["reference"] });
    await plugin.make(kept, { driver: outputs["reference"] });
    engine.told.length = 0;
    await plugin.delete(kept, bucket);
    await plugin.delete(urn("BucketAccess", "photos-other"), access);
    assert.deepEqual(
      engine.told.filter(({ message }) => message.includes("nothing was replaced")),
      [],
    );
  });

  it("a bucket that Pulumi does not know cannot be read, and the way to take it over is named", async () => {
    await assert.rejects(
      plugin.read(photos, { id: "company-archive", inputs: {}, outputs: {} }),
      /the bucket company-archive can only be read from the state; .* existingBucketId/,
    );
  });

  it("what is wrong with an input is told without its value, and without the engine's being asked to print it", async () => {
    const { outputs } = await makeDriver();
    const policy = await plugin.check(photos, { driver: outputs["reference"], deletionPolicy: "Keep" });
    assert.match(policy.failures.join(), /^deletionPolicy is "Keep"/);
    assert.deepEqual((await plugin.check(photos, {})).failures, [
      "driver is missing: give the output reference of a cosi:Driver",
    ]);
    assert.deepEqual((await plugin.check(readers, { bucket: "photos", driver: "store" })).failures, [
      "bucket is no reference: give the output reference of a cosi:Bucket",
      "driver is no reference: give the output reference of a cosi:Driver",
    ]);
  });

  it("a create without a known outcome stays in the state, marked as all else, and the next up finishes it", async () => {
    const lost = await obligingDriver()
      .on(paths.create, (_body, earlier) =>
        earlier < 3 ? { code: grpc.status.UNAVAILABLE, message: "gone" } : answers.created("photos-id"),
      )
      .start();
    try {
      const { outputs } = await plugin.make(store, {
        endpoint: lost.endpoint,
        ...waits,
        retryBudgetSeconds: 0.001,
      });
      const inputs = { driver: outputs["reference"], parameters: { word: secret("hidden word") } };
      let failed: ReturnType<typeof failedResourceOf>;
      try {
        await plugin.make(photos, inputs);
      } catch (error) {
        failed = failedResourceOf(error);
      }
      assert.ok(failed);
      assert.equal(failed.properties["bucketId"], null);
      assert.deepEqual(failed.properties["parameters"], { word: secret("hidden word") });
      assert.match(failed.reasons.join(), /DriverCreateBucket/);
      const { inputs: checked } = await plugin.check(photos, inputs);
      const olds = { id: failed.id, inputs: checked, outputs: failed.properties };
      const again = await plugin.check(photos, inputs, checked);
      assert.equal((await plugin.diff(photos, olds, again.inputs)).changes, true);
      while (lost.bodies("DriverCreateBucket").length < 3) {
        await assert.rejects(plugin.update(photos, olds, again.inputs));
      }
      const repaired = await plugin.update(photos, olds, again.inputs);
      assert.equal(repaired.outputs["bucketId"], "photos-id");
    } finally {
      lost.stop();
    }
  });

  it("the state of a dynamic resource is taken over by an alias: nothing is replaced, and one update completes it", async () => {
    const bucket = await makeBucket();
    const __provider = "exports.handler = () => 0;";
    const dynamic = {
      id: bucket.id,
      inputs: { ...bucket.inputs, __provider },
      outputs: { ...bucket.outputs, __provider },
    };
    Reflect.deleteProperty(dynamic.outputs, "reference");
    const news = { driver: bucket.inputs["driver"], deletionPolicy: "Delete" };
    const { inputs } = await plugin.check(photos, news, dynamic.inputs);
    const found = await plugin.diff(photos, dynamic, inputs);
    assert.deepEqual([found.changes, found.replaces], [true, []]);
    const calls = driver.paths().length;
    const taken = await plugin.update(photos, dynamic, inputs);
    assert.equal(driver.paths().length, calls, "the bucket is not touched");
    assert.deepEqual(taken.outputs["reference"], bucket.outputs["reference"]);
    assert.equal((await plugin.diff(photos, taken, inputs)).changes, false);
  });

  it("the schema names each output that is the user's, and says which of them are secret", async () => {
    const { resources } = (await plugin.schema()) as { resources: Record<string, SchemaResource> };
    const made = { Driver: await makeDriver(), Bucket: await makeBucket(), BucketAccess: await makeAccess() };
    for (const [type, { outputs }] of Object.entries(made)) {
      const described = resources[`cosi:index:${type}`]?.properties ?? {};
      for (const [name, property] of Object.entries(described)) {
        assert.ok(name in outputs, `${type}.${name} is an output`);
        const isMarked = JSON.stringify(outputs[name]).startsWith(JSON.stringify(secret("")).slice(0, 30));
        if (isMarked) assert.equal(property.secret, true, `${type}.${name} is secret`);
      }
    }
  });

  it("a deployment and an access to it live in the same way", async () => {
    const { deployment: contract } = contractsUnderTest;
    const postgres = await contract.obligingDriver().start();
    const destroy = await PluginProcess.start(engine);
    try {
      const orders = urn("Deployment", "orders");
      const writer = urn("DeploymentAccess", "orders-rw");
      const { outputs } = await plugin.make(urn("Driver", "postgres"), {
        endpoint: postgres.endpoint,
        contract: "deployment.v1alpha1",
        ...waits,
      });
      const deployment = await plugin.make(orders, {
        driver: outputs["reference"],
        deletionPolicy: "Delete",
      });
      const access = await plugin.make(writer, { deployment: deployment.outputs["reference"] });
      assert.equal(access.outputs["deploymentName"], deployment.id);
      assert.ok(JSON.stringify(access.outputs["credentials"]).includes(secretKey));
      const again = await plugin.check(
        writer,
        { deployment: deployment.outputs["reference"] },
        access.inputs,
      );
      assert.equal((await plugin.diff(writer, access, again.inputs)).changes, false);
      const gone = await plugin.diff(writer, access, { ...access.inputs, deployment: unknown });
      assert.deepEqual(gone.replaces, ["deployment"]);
      await destroy.delete(writer, access);
      await destroy.delete(orders, deployment);
      // The fake driver tells them under the names of cosi.v1alpha1.
      assert.deepEqual(postgres.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
      const wrong = await plugin.check(photos, { driver: outputs["reference"] });
      assert.match(wrong.failures.join(), /use cosi.Deployment/);
    } finally {
      await destroy.kill();
      postgres.stop();
    }
  });

  it("two resources of one name in different parents have names of their own", async () => {
    const { outputs } = await makeDriver();
    const inputs = { driver: outputs["reference"] };
    const [plain, inside] = [photos, urn("Bucket", "photos", "my:index:App$")];
    const names = [await plugin.check(plain, inputs), await plugin.check(inside, inputs)];
    assert.notEqual(names[0]?.inputs["name"], names[1]?.inputs["name"]);
    assert.equal(names[1]?.inputs["parent"], "my:index:App");
  });
});

describe("the plugin's process", function () {
  this.timeout(60_000);

  it("tells warnings and traced calls to the engine, each under its resource and before the call's answer", async () => {
    const engine = await new RecordingEngine().start();
    const driver = await obligingDriver().start();
    const plugin = await PluginProcess.start(engine, undefined, { PULUMI_COSI_TRACE: "1" });
    try {
      const { outputs } = await plugin.make(store, { endpoint: driver.endpoint, ...waits });
      const [call] = engine.told;
      assert.deepEqual([engine.told.length, call?.severity, call?.urn], [1, "INFO", store]);
      assert.match(call?.message ?? "", /^rpc \/cosi.v1alpha1.Identity\/DriverGetInfo OK /);
      const bucket = await plugin.make(photos, { driver: outputs["reference"] });
      engine.told.length = 0;
      await plugin.check(readers, { bucket: bucket.outputs["reference"], authenticationType: "KEY" });
      assert.deepEqual(engine.told, [
        {
          severity: "WARNING",
          urn: readers,
          message: 'access photos-rw: authenticationType "KEY" is taken as "Key"',
        },
      ]);
      assert.equal(plugin.output, "", "what a plugin prints nobody sees");
    } finally {
      await plugin.kill();
      driver.stop();
      engine.kill();
    }
  });

  it("is run by Pulumi's Node.js host from a folder with PulumiPlugin.yaml, in the version of this package", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "plugin-"));
    const engine = await new RecordingEngine().start();
    let plugin: PluginProcess | undefined;
    try {
      fs.cpSync(path.join(repository, "plugin"), folder, { recursive: true });
      fs.mkdirSync(path.join(folder, "node_modules"));
      fs.symlinkSync(repository, path.join(folder, "node_modules", "pulumi-cosi"));
      const host = require.resolve("@pulumi/pulumi/cmd/run-plugin");
      plugin = await PluginProcess.start(engine, [host, folder]);
      const { name, version } = await plugin.schema();
      assert.equal(name, "cosi");
      const { dependencies, version: own } = JSON.parse(
        fs.readFileSync(path.join(folder, "package.json"), "utf8"),
      ) as { dependencies: Record<string, string>; version: string };
      assert.deepEqual([dependencies["pulumi-cosi"], own], [version, version]);
      const { inputs } = await plugin.check(store, { endpoint: "unix:///run/cosi/cosi.sock" });
      assert.equal(inputs["logicalName"], "store");
    } finally {
      await plugin?.kill();
      engine.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it("it ends when the engine is gone", async () => {
    const engine = await new RecordingEngine().start();
    const plugin = await PluginProcess.start(engine);
    try {
      await plugin.check(store, { endpoint: "unix:///run/cosi/cosi.sock" });
      engine.kill();
      for (let waited = 0; plugin.runs && waited < 10_000; waited += 50) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal(plugin.runs, false);
    } finally {
      await plugin.kill();
    }
  });
});
