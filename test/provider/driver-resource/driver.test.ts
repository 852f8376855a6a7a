import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { closeConnections } from "../../../provider/driver/connections";
import { referenceOutput } from "../../../provider/driver-resource/driver-reference";
import { provider } from "../../../provider/driver-resource/provider";
import { secretOutput } from "../../../provider/dynamic/values";
import { forEachContract } from "../../support/contracts-under-test";
import { CertificateAuthority } from "../../support/certificate-authority";
import { answers, driverName, paths } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { Lifecycle, printed, type Properties } from "../../support/lifecycle";
import { beginRun } from "../../support/run";
import { TlsFront } from "../../support/tls-front";

const unknown = pulumi.runtime.unknownValue;

forEachContract("Driver", (contract) => {
  const { bucket, access, endpointVariable, obligingDriver, settings, driverReference, say, ids } = contract;
  const store = new Lifecycle(provider);
  let driver: FakeDriver;
  let inputs: (changes?: Properties) => Properties;

  beforeEach(async () => {
    driver = await obligingDriver().start();
    const given: Properties = { ...settings(driver.endpoint), logicalName: "store" };
    inputs = (changes = {}) => ({ ...given, ...changes });
  });

  afterEach(async () => {
    await closeConnections();
    driver.stop();
  });

  describe("check", () => {
    it("connects to nothing, and fails on no unknown value", async () => {
      const all = Object.fromEntries(Object.keys(inputs()).map((key) => [key, unknown]));
      const more = {
        driverName: unknown,
        maxConcurrentCalls: unknown,
        tls: unknown,
        command: unknown,
        environment: unknown,
      };
      assert.deepEqual((await store.check({}, { ...all, ...more })).failures, []);
      assert.deepEqual((await store.check({}, inputs())).failures, []);
      assert.deepEqual(driver.calls, []);
    });

    const started = { endpoint: undefined, command: ["driver"] };
    const network = { endpoint: "dns:///store:443" };
    for (const [what, changes, text] of [
      ["TCP", { endpoint: "tcp://127.0.0.1:9000" }, /^endpoint .*"tcp:.*unix:\/\/\/<absolute path>\.sock/],
      ["a path without a scheme", { endpoint: "/run/x.sock" }, /^endpoint "\/run\/x\.sock" is not a UNIX/],
      [
        "a command that is no list",
        { ...started, command: "driver" },
        /^command is a text, and must be a list$/,
      ],
      [
        "another scheme",
        { endpoint: "http://store:80" },
        /^endpoint .*"http:.*dns:\/\/\/<host>:<port> together with tls/,
      ],
      [
        "a host and port",
        { endpoint: "store:80" },
        /^endpoint .*"store:80".*dns:\/\/\/<host>:<port> together with tls/,
      ],
      [
        "a host without TLS",
        { endpoint: "dns:///store:443" },
        /^endpoint .*"dns:\/\/\/store:443" is on the network, where nothing is sent without TLS: set the input tls/,
      ],
      ["TLS on a socket", { tls: {} }, /^tls is given with a UNIX domain socket.*dns:\/\/\/<host>:<port>/],
      ["TLS beside a command", { ...started, tls: {} }, /^tls is given beside command/],
      [
        "a certificate without its key",
        { ...network, tls: { certFile: "c.pem" } },
        /^tls has a client certificate but not its key/,
      ],
      [
        "a key without its certificate",
        { ...network, tls: { key: "-----BEGIN PRIVATE KEY-----" } },
        /^tls has a key but not its client certificate/,
      ],
      [
        "a certificate as text and as a file",
        { ...network, tls: { ca: "-----BEGIN CERTIFICATE-----", caFile: "ca.pem" } },
        /^tls has both ca and caFile/,
      ],
      [
        "a path where a text is due",
        { ...network, tls: { cert: "c.pem", key: "hunter2.key" } },
        /^tls has a cert that is not PEM text.*certFile$/,
      ],
      ["an endpoint beside a command", { command: ["driver"] }, /^endpoint is given beside command/],
      ["an empty command", { ...started, command: [] }, /^command is empty/],
      ["a command without a program", { ...started, command: ["", "x"] }, /^command is empty/],
      [
        "an environment without a command",
        { environment: { A: "1" } },
        /^environment is given without command/,
      ],
      [
        "an environment that sets COSI_ENDPOINT",
        { ...started, environment: { [endpointVariable]: "unix:///x.sock" } },
        say(/^environment sets COSI_ENDPOINT.*leave it out/),
      ],
      ["a contract that does not exist", { contract: "cosi.v2" }, /^contract is "cosi\.v2".*cosi\.v1alpha1/],
      ["an ill-formed driver name", { driverName: "a..b" }, /^driverName is "a\.\.b"/],
      ["no time to connect", { connectTimeoutSeconds: 0 }, /^connectTimeoutSeconds is 0/],
      ["a negative deadline", { callTimeoutSeconds: -1 }, /^callTimeoutSeconds is -1/],
      [
        "a budget that is no number",
        { retryBudgetSeconds: "long" },
        /^retryBudgetSeconds is a text, and must be a number$/,
      ],
      ["no first pause", { firstRetryDelayMilliseconds: 0 }, /^firstRetryDelayMilliseconds is 0/],
      ["half a call", { maxConcurrentCalls: 1.5 }, /^maxConcurrentCalls is 1\.5/],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { failures } = await store.check({}, inputs(changes));
        assert.equal(failures.length, 1);
        assert.match(failures[0] ?? "", text);
        assert.deepEqual(driver.calls, []);
      });
    }

    for (const [rule, endpoint] of [
      ["is not a UNIX domain socket", "/run/x.sock"],
      ["is not a UNIX domain socket", "unix:x.sock"],
      ["has no absolute path", "unix://host/x.sock"],
      ["does not end in .sock", "unix:///run/x.socket"],
      ["has a path of 108 bytes", `unix:///${"n".repeat(102)}.sock`],
    ] as const) {
      it(`refuses a socket whose endpoint ${rule}: ${endpoint.slice(0, 24)} ${ids("[GRPC-097]", "[DEP-073]")}`, async () => {
        const { failures } = await store.check({}, inputs({ endpoint }));
        assert.equal(failures.length, 1);
        assert.ok(failures[0]?.includes(`${JSON.stringify(endpoint)} ${rule}`), failures[0]);
        assert.ok(failures[0]?.includes("write it as unix:///<absolute path>.sock"));
        assert.deepEqual(driver.calls, []);
      });
    }

    it("says nothing of a private key", async () => {
      const tls = { key: "not a key but secret", cert: "-----BEGIN CERTIFICATE-----" };
      const { failures } = await store.check({}, inputs({ ...network, tls }));
      assert.match(failures.join(), /tls has a key that is not PEM text with a PRIVATE KEY/);
      assert.ok(!failures.join().includes("secret"));
    });

    it("takes TLS where COSI_ENDPOINT decides, and what is not known yet", async () => {
      for (const changes of [
        { endpoint: undefined, tls: {} },
        { endpoint: unknown, tls: {} },
        { ...network, tls: unknown },
        { ...network, tls: { ca: unknown, certFile: unknown, key: unknown } },
      ]) {
        assert.deepEqual((await store.check({}, inputs(changes))).failures, []);
      }
    });

    it("shows all failures at once", async () => {
      const { failures } = await store.check(
        {},
        inputs({ endpoint: "x", contract: "y", callTimeoutSeconds: 0 }),
      );
      assert.equal(failures.length, 3);
    });

    it("warns of another name of the contract's in the environment, where it is new", async () => {
      const prefix = endpointVariable.replace("ENDPOINT", "");
      const environment = { [`${prefix}LOG`]: "debug", AWS_REGION: "eu" };
      const news = inputs({ ...started, environment });
      let olds: Properties = {};
      const first = await printed(async () => ({ inputs: olds } = await store.check({}, news)));
      assert.equal(first.length, 1);
      assert.match(
        first[0] ?? "",
        new RegExp(`^warning: driver store: .*${prefix}LOG.*only ${endpointVariable}`),
      );
      assert.ok(!first.join("").includes("debug"));
      const renamed = { ...environment, [`${prefix}TRACE`]: "1" };
      assert.deepEqual(await printed(() => store.check({ ...olds, environment: renamed }, news)), []);
    });
  });

  describe("create", () => {
    it("records the name that the driver reports, and a random seed", async () => {
      const { id, outputs } = await store.create(inputs());
      assert.equal(id, "store");
      assert.equal(outputs["driverName"], driverName);
      assert.equal(outputs["demandedDriverName"], null);
      assert.match(String(outputs["seed"]), /^[0-9a-f]{32}$/);
      const second = await store.create(inputs());
      assert.notEqual(second.outputs["seed"], outputs["seed"]);
      for (const [key, value] of Object.entries(inputs())) assert.deepEqual(outputs[key], value, key);
    });

    it("marks the environment as secret", async () => {
      const { raw } = await store.create(inputs());
      assert.equal(raw["environment"], undefined);
      const started = { ...raw, endpoint: undefined, command: ["driver"], environment: { TOKEN: "t0ken" } };
      const host: { read(id: string, props: unknown): Promise<{ props?: unknown; inputs?: unknown }> } =
        provider;
      const read = await host.read("store", started);
      for (const properties of [read.props, read.inputs]) {
        const text = JSON.stringify(properties, (_, value: unknown) =>
          typeof value === "object" && value !== null && pulumi.runtime.specialSigKey in value
            ? "[secret]"
            : value,
        );
        assert.match(text, /"environment":"\[secret\]"/);
      }
    });

    it("marks the private key as secret, and no certificate", async () => {
      const tls = { ca: "authority", cert: "certificate", key: "private" };
      const host: { read(id: string, props: unknown): Promise<{ props?: unknown; inputs?: unknown }> } =
        provider;
      const { raw } = await store.create(inputs());
      const read = await host.read("store", { ...raw, endpoint: "dns:///store:443", tls });
      const reference = referenceOutput(driverReference("dns:///store:443", { tls }));
      for (const properties of [read.props, read.inputs, reference]) {
        assert.deepEqual((properties as { tls: unknown }).tls, { ...tls, key: secretOutput(tls.key) });
      }
    });

    it("refuses a driver of another name than the program demands, in any case of letters", async () => {
      await assert.rejects(
        store.create(inputs({ driverName: "other.example.com" })),
        /calls itself "fake\.example\.com", but "other\.example\.com" is expected.*driverName to "fake/s,
      );
      const { outputs } = await store.create(inputs({ driverName: driverName.toUpperCase() }));
      assert.equal(outputs["driverName"], driverName);
      assert.equal(outputs["demandedDriverName"], driverName.toUpperCase());
    });

    it("finds the driver by COSI_ENDPOINT of the moment of the call where the program names none", async () => {
      const before = process.env[endpointVariable];
      try {
        Reflect.deleteProperty(process.env, endpointVariable);
        const anywhere = inputs({ endpoint: undefined });
        assert.deepEqual((await store.check({}, anywhere)).failures, []);
        await assert.rejects(
          store.create(anywhere),
          say(/neither endpoint nor command, and COSI_ENDPOINT is not set/),
        );
        process.env[endpointVariable] = driver.endpoint;
        const { outputs } = await store.create(anywhere);
        assert.equal(outputs["driverName"], driverName);
        assert.equal(outputs["endpoint"], undefined);
        process.env[endpointVariable] = "unix:///another-machine.sock";
        const { inputs: news } = await store.check(outputs, anywhere);
        assert.deepEqual(await store.diff(outputs, news), { changes: false, replaces: [] });
        process.env[endpointVariable] = "tcp://store:80";
        await closeConnections();
        await assert.rejects(
          store.create(anywhere),
          say(
            /COSI_ENDPOINT in the environment of pulumi: driver endpoint "tcp:.*Next: correct the endpoint/,
          ),
        );
      } finally {
        if (before === undefined) Reflect.deleteProperty(process.env, endpointVariable);
        else process.env[endpointVariable] = before;
      }
    });
  });

  describe("driver names", () => {
    it(`that are ill-formed stop create and grant, and no clean-up ${ids("[GRPC-008]", "[DEP-008]")}`, async () => {
      for (const name of ["", "-a", "a..b", "n".repeat(64)]) {
        driver.on(paths.getInfo, () => answers.info(name));
        await closeConnections();
        const quoted = new RegExp(`calls itself ${JSON.stringify(name).replaceAll(".", "\\.")}`);
        await assert.rejects(store.create(inputs()), quoted);

        // An earlier release may have recorded the name.
        const reference = driverReference(driver.endpoint, { driverName: name });
        const news = { driver: reference, logicalName: "b", name: "b", deletionPolicy: "Delete" };
        await assert.rejects(bucket.create(news), quoted);
        const account = { driver: reference, logicalName: "a", bucketName: "b", bucketId: "b" };
        await assert.rejects(access.create(account), quoted);
        assert.deepEqual(new Set(driver.paths()), new Set(["DriverGetInfo"]));
        driver.calls.length = 0;

        const recorded = { ...(await bucket.check({}, news)).inputs, bucketId: "b", bucketInfo: null };
        beginRun();
        await bucket.delete(recorded);
        const granted = { ...(await access.check({}, account)).inputs, accountId: "a", granted: null };
        await access.delete(granted);
        await store.delete({});
        assert.deepEqual(driver.paths().slice(-2), ["DriverDeleteBucket", "DriverRevokeBucketAccess"]);
        driver.calls.length = 0;
      }
    });
  });

  describe("diff and update", () => {
    it("find no change in an unchanged program, also after a refresh with the driver away", async () => {
      const { outputs } = await store.create(inputs({ driverName }));
      driver.stop();
      await closeConnections();
      const read = await store.read(outputs);
      assert.deepEqual(read.outputs, outputs);
      assert.deepEqual(read.inputs, inputs({ driverName }));
      const { inputs: news } = await store.check(read.inputs, inputs({ driverName }));
      assert.deepEqual(await store.diff(read.outputs, news), { changes: false, replaces: [] });
    });

    it("replace nothing, whatever changes", async () => {
      const { outputs } = await store.create(inputs());
      for (const changes of [
        { endpoint: "unix:///elsewhere.sock" },
        { endpoint: "dns:///store:443", tls: { caFile: "ca.pem" } },
        { driverName: "renamed.example.com" },
        { callTimeoutSeconds: 9 },
        { maxConcurrentCalls: 1 },
        { endpoint: unknown },
        { driverName: unknown },
      ]) {
        const { inputs: news } = await store.check(outputs, inputs(changes));
        assert.deepEqual(await store.diff(outputs, news), { changes: true, replaces: [] });
      }
    });

    it(`see no difference between machines whose COSI_ENDPOINT differs, one a socket, one a host with TLS ${ids("[GRPC-085]", "[DEP-069]")}`, async () => {
      const authority = new CertificateAuthority();
      const { cert, key } = authority.issue(["localhost"]);
      const front = await new TlsFront(driver.socket, { cert, key }).start();
      const given: Properties = { ...settings(""), tls: { ca: authority.cert } };
      Reflect.deleteProperty(given, "endpoint");
      const anywhere = { ...given, logicalName: "store" };
      const ofBucket = (outputs: Properties) => {
        const { driverName: name, seed } = outputs;
        return { driver: { ...given, driverName: name, seed }, logicalName: "b" };
      };
      const states: Properties[][] = [];
      try {
        for (const endpoint of [driver.endpoint, front.endpoint()]) {
          process.env[endpointVariable] = endpoint;
          await closeConnections();
          const { outputs } = await store.create(anywhere);
          states.push([outputs, (await bucket.create(ofBucket(outputs))).outputs]);
        }
        const [info, create] = ["DriverGetInfo", "DriverCreateBucket"];
        assert.deepEqual(driver.paths(), [info, create, info, create]);
        for (const endpoint of [front.endpoint(), driver.endpoint, "unix:///nowhere.sock"]) {
          process.env[endpointVariable] = endpoint;
          for (const [outputs = {}, made = {}] of states) {
            const { inputs: news } = await store.check(outputs, anywhere);
            assert.deepEqual(await store.diff(outputs, news), { changes: false, replaces: [] });
            const { inputs: bucketNews } = await bucket.check(made, ofBucket(outputs));
            assert.equal((await bucket.diff(made, bucketNews)).changes, false);
          }
        }
      } finally {
        Reflect.deleteProperty(process.env, endpointVariable);
        await closeConnections();
        front.stop();
      }
    });

    it("take a renewed certificate as an update of driver and bucket, with no call for the bucket", async () => {
      const authority = new CertificateAuthority();
      const front = await new TlsFront(driver.socket, authority.issue(["localhost"])).start();
      const first = {
        endpoint: front.endpoint(),
        tls: { ca: authority.cert, ...authority.issue(["client"]) },
      };
      const second = { ...first, tls: { ca: authority.cert, ...authority.issue(["client"]) } };
      try {
        const { outputs } = await store.create(inputs(first));
        assert.deepEqual(outputs["tls"], first.tls);
        const reference = driverReference("", { ...first, seed: String(outputs["seed"]) });
        const made = (await bucket.create({ driver: reference, logicalName: "b" })).outputs;

        const { inputs: news } = await store.check(outputs, inputs(second));
        assert.deepEqual(await store.diff(outputs, news), { changes: true, replaces: [] });
        // Also by another Driver resource that leads to the same driver.
        for (const seed of [reference.seed, "another"]) {
          const renewed = { driver: { ...reference, ...second, seed }, logicalName: "b" };
          const { inputs: bucketNews } = await bucket.check(made, renewed);
          const { changes, replaces } = await bucket.diff(made, bucketNews);
          assert.deepEqual({ changes, replaces }, { changes: true, replaces: [] });
        }
        driver.calls.length = 0;
        const updated = await bucket.update(made, { driver: { ...reference, ...second }, logicalName: "b" });
        assert.deepEqual((updated["driver"] as Properties)["tls"], second.tls);
        assert.deepEqual(driver.bodies("DriverCreateBucket"), []);
      } finally {
        await closeConnections();
        front.stop();
      }
    });

    it("move the driver to another endpoint with name and seed as they were", async () => {
      const { outputs } = await store.create(inputs());
      const elsewhere = await obligingDriver().start();
      try {
        const moved = await store.update(outputs, inputs({ endpoint: elsewhere.endpoint }));
        assert.equal(moved["endpoint"], elsewhere.endpoint);
        assert.equal(moved["seed"], outputs["seed"]);
        assert.equal(moved["driverName"], driverName);
      } finally {
        elsewhere.stop();
      }
    });

    it("take over another name only if the program gives it", async () => {
      const { outputs } = await store.create(inputs());
      const renamed = await obligingDriver("renamed.example.com").start();
      try {
        const there = { endpoint: renamed.endpoint };
        await assert.rejects(
          store.update(outputs, inputs(there)),
          /calls itself "renamed\.example\.com", but "fake\.example\.com" is expected/,
        );
        const told = { ...there, driverName: "renamed.example.com" };
        const updated = await store.update(outputs, inputs(told));
        assert.equal(updated["driverName"], "renamed.example.com");
        assert.equal(updated["seed"], outputs["seed"]);
        const { inputs: news } = await store.check(updated, inputs(told));
        assert.deepEqual(await store.diff(updated, news), { changes: false, replaces: [] });

        // The demand may go again; the name stays.
        const { inputs: free } = await store.check(updated, inputs(there));
        assert.equal((await store.diff(updated, free)).changes, true);
        const freed = await store.update(updated, inputs(there));
        assert.equal(freed["driverName"], "renamed.example.com");
        assert.equal(freed["demandedDriverName"], null);
      } finally {
        renamed.stop();
      }
    });
  });
});
