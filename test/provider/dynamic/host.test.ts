import assert from "node:assert/strict";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { status } from "@grpc/grpc-js";
import { sleep } from "../../../provider/driver/call/retry";
import { answers, driverName, obligingDriver, paths, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { wire, type Properties } from "../../support/lifecycle";
import { failedResourceOf, FakeEngine, ProviderHost } from "../../support/provider-host";
import { driverReference, quickSettings } from "../../support/settings";
import { eventually, StubDriver } from "../../support/stub-driver";

/** What the state keeps of a provider: see the test of the resource classes. */
const providerText = (file: string): string =>
  `exports.handler = () => require("pulumi-cosi/provider/${file}").provider;`;
const driverProvider = providerText("driver-resource/provider");
const bucketProvider = providerText("bucket/provider");
const accessProvider = providerText("bucket-access/provider");

/** For a user without credentials. */
function kubeconfigOf(server: http.Server): string {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
}

describe("Pulumi's host of dynamic providers", function () {
  this.timeout(60_000);
  let engine: FakeEngine;
  let host: ProviderHost;
  let driver: FakeDriver;

  beforeEach(async () => {
    engine = await new FakeEngine().start();
    host = await ProviderHost.start(engine);
    driver = await obligingDriver().start();
  });

  afterEach(async () => {
    await host.kill();
    engine.kill();
    driver.stop();
  });

  const bucketInputs = (changes: Properties = {}): Properties => ({
    driver: driverReference(driver.endpoint),
    logicalName: "photos",
    __provider: bucketProvider,
    ...changes,
  });
  const accessInputs = (changes: Properties = {}): Properties => ({
    driver: driverReference(driver.endpoint),
    logicalName: "photos-rw",
    bucketName: "b1",
    bucketId: "b1",
    __provider: accessProvider,
    ...changes,
  });

  /** A second run: the engine starts a host per run. */
  const nextRun = async (): Promise<void> => {
    await host.kill();
    host = await ProviderHost.start(engine);
    await host.configure({});
  };

  it("runs the whole life of driver, bucket and access", async () => {
    await host.configure({ "app:color": "blue" });
    const settings = { ...quickSettings(driver.endpoint), logicalName: "store", __provider: driverProvider };
    const store = await host.create((await host.check({}, settings)).inputs);
    assert.equal(store.id, "store");
    assert.equal(store.outputs["__provider"], driverProvider);
    const { driverName: name, seed } = store.outputs;
    const reference = { ...quickSettings(driver.endpoint), driverName: name, seed };

    const news = bucketInputs({ driver: reference, deletionPolicy: "Delete" });
    const bucket = await host.create((await host.check({}, news)).inputs);
    assert.equal(bucket.outputs["bucketId"], bucket.id);
    const { bucketId, bucketInfo } = bucket.outputs;
    const accessNews = accessInputs({ driver: reference, bucketName: bucket.id, bucketId, bucketInfo });
    const access = await host.create((await host.check({}, accessNews)).inputs);
    assert.equal(access.outputs["__provider"], accessProvider);
    assert.deepEqual(access.outputs["accessSecretKey"], {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: secretKey,
    });

    // The next run: nothing has changed, also after a refresh.
    await nextRun();
    const calls = driver.calls.length;
    for (const [state, program] of [
      [store, settings],
      [bucket, news],
      [access, accessNews],
    ] as const) {
      const read = await host.read(state.id, state.outputs);
      assert.deepEqual(wire(read.outputs), wire(state.outputs));
      const { inputs } = await host.check(read.inputs, program);
      assert.deepEqual(inputs, wire(read.inputs));
      assert.deepEqual(await host.diff(state.id, read.outputs, inputs), { changes: false, replaces: [] });
    }
    assert.equal(driver.calls.length, calls);

    const moved = accessInputs({ ...accessNews, defaultRegion: "eu-2" });
    const updated = await host.update(
      access.id,
      access.outputs,
      (await host.check(access.outputs, moved)).inputs,
    );
    assert.equal(updated["defaultRegion"], "eu-2");
    assert.equal(updated["accountId"], access.outputs["accountId"]);

    await nextRun();
    await host.delete(access.id, updated);
    await host.delete(bucket.id, bucket.outputs);
    await host.delete(store.id, store.outputs);
    assert.deepEqual(driver.paths(), [
      "DriverGetInfo",
      "DriverCreateBucket",
      "DriverGrantBucketAccess",
      "DriverGetInfo",
      "DriverRevokeBucketAccess",
      "DriverDeleteBucket",
    ]);
    assert.equal(host.errors, "");
  });

  it("reports failures of a check", async () => {
    await host.configure({});
    const { failures } = await host.check({}, bucketInputs({ name: "-x", deletionPolicy: "delete" }));
    assert.equal(failures.length, 2);
  });

  it("hands a create without a known outcome to the engine as failed, with all that the state needs [CASE-U16] [CASE-U31]", async () => {
    driver
      .on(paths.create, (_, earlier) => (earlier < 3 ? { code: status.UNKNOWN } : answers.created("b-7")))
      .on(paths.grant, (_, earlier) => (earlier < 3 ? { code: status.UNKNOWN } : answers.granted("u-7")));
    await host.configure({});
    for (const [news, output, id] of [
      [bucketInputs({ parameters: { k: "v" } }), "bucketId", "b-7"],
      [accessInputs({ parameters: { k: "v" } }), "accountId", "u-7"],
    ] as const) {
      const { inputs } = await host.check({}, news);
      const error: unknown = await host.create(inputs).catch((thrown: unknown) => thrown);
      const failed = failedResourceOf(error);
      assert.equal(failed?.id, inputs["name"]);
      assert.equal(failed?.reasons.length, 1);
      assert.equal(failed.properties["__provider"], news["__provider"]);
      for (const [key, value] of Object.entries(inputs)) assert.deepEqual(failed.properties[key], value, key);
      assert.equal(failed.properties[output], null);
      const updated = await host.update(failed.id, failed.properties, inputs);
      assert.equal(updated[output], id);
    }
  });

  it("hands a create that was refused for sure to the engine as an error, and no resource", async () => {
    driver.on(paths.create, () => ({ code: status.INVALID_ARGUMENT, message: "nope" }));
    await host.configure({});
    const { inputs } = await host.check({}, bucketInputs());
    const error: unknown = await host.create(inputs).catch((thrown: unknown) => thrown);
    assert.match(String(error), /DriverCreateBucket: INVALID_ARGUMENT: nope/);
    assert.equal(failedResourceOf(error), undefined);
  });

  it("tells every error to the engine, and prints neither it nor a stack trace [GRPC-062]", async () => {
    for (const path of [paths.create, paths.delete, paths.grant, paths.revoke]) {
      driver.on(path, () => ({ code: status.PERMISSION_DENIED, message: "" }));
    }
    await host.configure({});
    const policy = { deletionPolicy: "Delete", name: "fixed" };
    const { inputs } = await host.check({}, bucketInputs(policy));
    const bucket = { ...inputs, bucketId: "b1", bucketInfo: null, drift: null, schemaVersion: 1 };
    const changed = (await host.check(inputs, bucketInputs({ ...policy, parameters: { k: "v" } }))).inputs;
    const accessChecked = (await host.check({}, accessInputs({ name: "a" }))).inputs;
    const granted = { protocol: "S3", secrets: { accessKeyID: "AK1234", accessSecretKey: secretKey } };
    const access = { ...accessChecked, accountId: "u", granted, drift: null, schemaVersion: 1 };
    const where = `driver ${driverName} at ${driver.endpoint}`;
    const denied = (rpc: string, subject: string) =>
      `${rpc}: PERMISSION_DENIED: the driver gave no reason [${subject}, ${where}]. Next: ask the store's administrator`;

    for (const [call, text] of [
      // What this process has tried to make, it does not delete: see RunOwnership.
      [() => host.delete("fixed", bucket), denied("DriverDeleteBucket", "bucket fixed, id b1")],
      [
        () => host.delete("a", access),
        denied("DriverRevokeBucketAccess", "access a to bucket b1, account u"),
      ],
      [() => host.create(inputs), denied("DriverCreateBucket", "bucket fixed")],
      [() => host.create(accessChecked), denied("DriverGrantBucketAccess", "access a to bucket b1")],
      [
        () => host.diff("fixed", bucket, changed),
        "the bucket fixed of driver fake.example.com would be replaced",
      ],
      [
        () => host.read("old", { __provider: bucketProvider }),
        "the bucket old can only be read from the state",
      ],
      [
        () => host.read("old", { __provider: accessProvider }),
        "the access old can only be read from the state",
      ],
      [
        () => host.read("old", { __provider: driverProvider }),
        "the Driver old can only be read from the state",
      ],
    ] as const) {
      const error: unknown = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof Error && "details" in error, `no error where this is due: ${text}`);
      const details = String(error.details);
      assert.ok(details.startsWith(text), details);
      assert.ok(!/undefined|\n {4}at /.test(details), details);
    }
    const impatient = { ...driverReference(driver.endpoint), retryBudgetSeconds: 0.05 };
    for (const code of [...Array.from({ length: 16 }, (_, n) => n + 1), 77]) {
      driver.on(paths.create, () => ({ code, message: "bad luck" }));
      const news = { ...inputs, driver: impatient };
      const error: unknown = await host.create(news).catch((thrown: unknown) => thrown);
      const text = String(error instanceof Error && "details" in error ? error.details : error);
      assert.ok(text.startsWith(`DriverCreateBucket: ${status[code] ?? "code 77"}: bad luck`), text);
      assert.match(text, /\[bucket fixed, driver fake\.example\.com at unix:.*\.sock\]\. Next: \S.{20}/);
    }
    const printed = host.output + host.errors;
    assert.ok(!/^\s+at /m.test(printed), printed);
    for (const word of ["PERMISSION_DENIED", "would be replaced", "can only be read"]) {
      assert.ok(!printed.includes(word), `${word} is printed beside: ${printed}`);
    }
  });

  it("calls providers with their configuration, also when the first calls come at one time [CASE-U31]", async () => {
    const asked: (string | undefined)[] = [];
    const server = http.createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const kubeconfig = kubeconfigOf(server);
    await host.kill();
    host = await ProviderHost.start(engine, { KUBECONFIG: "/no/such/kubeconfig" });
    try {
      await host.configure({ "kubernetes:kubeconfig": kubeconfig });
      const secret = (name: string): Properties => ({
        namespace: "shop",
        name,
        data: {},
        owner: { uid: "1" },
        __provider: providerText("kubernetes/secret"),
      });
      const names = ["one", "two", "three"];
      await Promise.all(names.map((name) => host.read(`shop/${name}`, secret(name))));
      for (const name of names) {
        assert.ok(
          asked.some((path) => path?.endsWith(`/namespaces/shop/secrets/${name}`)),
          asked.join(),
        );
      }
    } finally {
      server.close();
    }
  });

  it("tells each of several calls the error that they share [GRPC-062]", async () => {
    // Slow enough for all to wait for the one look at the cluster.
    const server = http.createServer((_request, response) => {
      setTimeout(() => {
        response.writeHead(401, { "content-type": "application/json" });
        response.end(
          '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","message":"no","code":401}',
        );
      }, 500);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    try {
      await host.configure({ "kubernetes:kubeconfig": kubeconfigOf(server) });
      const secret = {
        namespace: "shop",
        data: {},
        owner: { uid: "1" },
        __provider: providerText("kubernetes/secret"),
      };
      const texts = await Promise.all(
        ["one", "two", "three"].map((name) =>
          host.read(`shop/${name}`, { ...secret, name }).then(
            () => "no error",
            (error: unknown) => String(error),
          ),
        ),
      );
      for (const text of texts)
        assert.match(text, /get Namespace kube-system: 401 Unauthorized: no \(.+\)\. Next: /);
    } finally {
      server.close();
    }
  });

  it("ends with the engine, also if it called no driver", async () => {
    await host.configure({});
    await host.check({}, bucketInputs());
    assert.deepEqual(driver.calls, []);
    engine.kill();
    await eventually("the host has ended", () => !host.runs);
  });

  it("leaves no driver, no host and no folder, however the run ends [GRPC-107]", async () => {
    for (const end of ["the engine stops it", "it is killed", "the engine is killed"] as const) {
      const stub = new StubDriver();
      try {
        await nextRun();
        const waits = { ...driverReference("unused"), endpoint: undefined, connectTimeoutSeconds: 25 };
        const environment = stub.environment({ STUB_CHILD: "1", STUB_STUBBORN: "1" });
        const started = { ...waits, driverName: StubDriver.driverName, command: stub.command, environment };
        const { inputs } = await host.check({}, bucketInputs({ driver: started }));
        await host.create(inputs);
        assert.ok(stub.remains());
        if (end === "the engine stops it") await host.kill("SIGINT");
        else if (end === "it is killed") await host.kill("SIGKILL");
        else engine.kill();
        await eventually(`nothing is left after ${end}`, () => !host.runs && !stub.remains());
      } finally {
        stub.dispose();
      }
    }
  });

  it("stays while the engine does", async () => {
    await host.configure({});
    await host.check({}, bucketInputs());
    await sleep(1_000);
    assert.ok(host.runs);
  });
});
