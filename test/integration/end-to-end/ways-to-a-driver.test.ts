import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { CertificateAuthority } from "../../support/certificate-authority";
import { hasStackTrace, tracedRpcs } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";
import { StubDriver } from "../../support/stub-driver";
import { TlsFront } from "../../support/tls-front";

const traced = { PULUMI_COSI_TRACE: "1" };
const calls = [
  "DriverGetInfo",
  "DriverCreateBucket",
  "DriverGrantBucketAccess",
  "DriverGetInfo",
  "DriverRevokeBucketAccess",
  "DriverDeleteBucket",
];

/** A bucket and an access; how the driver is reached stands in the environment. */
const program = `
import * as cosi from "pulumi-cosi";

const { CA, CERT, KEY, COMMAND } = process.env;
const driver = new cosi.Driver("store", {
  ...(COMMAND === undefined ? {} : { command: JSON.parse(COMMAND) }),
  ...(CA === undefined ? {} : { tls: { ca: CA, cert: CERT, key: KEY } }),
});
const photos = new cosi.Bucket("photos", { driver, name: "photos", deletionPolicy: "Delete" });
const access = new cosi.BucketAccess("photos-rw", { bucket: photos, name: "photos-rw", parameters: { mode: "rw" } });
export const account = access.accountId;
`;

describe("the ways to a driver", function () {
  this.timeout(300_000);

  describe("on the network, with mutual TLS and COSI_ENDPOINT", () => {
    const authority = new CertificateAuthority();
    const certificates = [authority.issue(["client"]), authority.issue(["client"])];
    let driver: WatchedDriver;
    let front: TlsFront;
    let stack: Stack;
    /** What every command printed, by its name. */
    const printed: Record<string, string> = {};

    before(async () => {
      driver = await new WatchedDriver().start();
      const options = { ...authority.issue(["localhost"]), ca: authority.cert, requestCert: true };
      front = await new TlsFront(driver.fake.socket, options).start();
      stack = await Stack.create({ source: program }, { ...quickProgram, ...traced });
    });
    after(async () => {
      await stack.remove();
      front.stop();
      driver.fake.stop();
    });

    /** Environment of a machine with this client certificate, the first or its renewal. */
    const machine = (endpoint: string, renewal = 0): Record<string, string> => {
      const { cert, key } = certificates[renewal] ?? { cert: "", key: "" };
      return { COSI_ENDPOINT: endpoint, CA: authority.cert, CERT: cert, KEY: key };
    };

    it("up refuses an authority that it does not know, with no RPC [GRPC-085]", async () => {
      const stranger = { ...machine(front.endpoint()), CA: new CertificateAuthority("another").cert };
      const text = await stack.fail(["up", "--yes", "--skip-preview"], stranger);
      assert.match(
        text,
        /the certificate of the driver at dns:\/\/\/localhost:\d+ is refused.*Next: set ca or caFile/s,
      );
      assert.ok(!hasStackTrace(text));
      assert.deepEqual(driver.fake.calls, []);
      printed["the refusal"] = text;
    });

    it("up makes bucket and access, with the host of the endpoint as authority [GRPC-085] [GRPC-090]", async () => {
      // Pulumi's own calls go to 127.0.0.1, and would go to the proxy, too.
      const dead = "http://127.0.0.1:9";
      const proxies = { http_proxy: dead, https_proxy: dead, grpc_proxy: dead, no_proxy: "127.0.0.1" };
      printed["up"] = await stack.up({ ...machine(front.endpoint()), ...proxies });
      assert.deepEqual(driver.fake.paths(), calls.slice(0, 3));
      assert.deepEqual(new Set(driver.fake.calls.map((call) => call.authority)), new Set(["localhost"]));
      assert.match(printed["up"], new RegExp(`attempt 1 at ${front.endpoint()} `));
    });

    it("a preview is empty on every machine, whatever its COSI_ENDPOINT [GRPC-085]", async () => {
      for (const endpoint of [front.endpoint(), "unix:///nowhere.sock"]) {
        assert.deepEqual(await stack.plannedSteps(machine(endpoint)), [], endpoint);
      }
    });

    it("a renewed client certificate is an update with no call for bucket and access", async () => {
      const renewed = machine(front.endpoint(), 1);
      printed["the preview"] = await stack.succeed(["preview", "--diff"], renewed);
      assert.match(printed["the preview"], /~ 3 to update/);
      assert.doesNotMatch(printed["the preview"], /to replace|to create|to delete/);
      assert.match(printed["the preview"], /key\s*: \[secret\]/);
      driver.forget();
      printed["the update"] = await stack.up(renewed);
      assert.deepEqual(driver.fake.paths(), ["DriverGetInfo"]);
    });

    it("the private key is in no output and plain in no state, line by line", async () => {
      const { text } = await stack.state();
      assert.ok(text.includes(JSON.stringify(authority.cert).slice(1, -1)), "a certificate is no secret");
      for (const { key } of certificates) {
        for (const line of key.trim().split("\n").slice(1, -1)) {
          for (const [place, searched] of Object.entries({ ...printed, state: text })) {
            assert.ok(!searched.includes(line), `a line of a private key in ${place}`);
          }
        }
      }
    });

    it("destroy, which runs no program, has all it needs in the state [GRPC-085]", async () => {
      driver.forget();
      const text = await stack.destroy({ COSI_ENDPOINT: front.endpoint() });
      assert.deepEqual(driver.fake.paths(), calls.slice(3));
      assert.deepEqual(tracedRpcs(text), calls.slice(3));
    });
  });

  describe("found at COSI_ENDPOINT, and started by command", () => {
    const fixed = { STUB_BUCKET: "of-the-store" };
    let stack: Stack;
    let stubs: StubDriver[];
    let found: ChildProcess;

    before(async () => {
      stubs = [new StubDriver(), new StubDriver()];
      stack = await Stack.create({ source: program }, quickProgram);
    });
    after(async () => {
      const ended = once(found, "exit");
      found.kill();
      await ended;
      await stack.remove();
      for (const stub of stubs) stub.dispose();
    });

    it("the same program makes the same calls with the same bodies [GRPC-089]", async () => {
      const [atEndpoint, atCommand] = stubs;
      assert.ok(atEndpoint !== undefined && atCommand !== undefined);
      const [command = "", ...args] = atEndpoint.command;
      const COSI_ENDPOINT = `unix://${path.join(stack.environment.folder, "found.sock")}`;
      const environment = { ...process.env, ...atEndpoint.environment(fixed), COSI_ENDPOINT };
      found = spawn(command, args, { env: environment, stdio: "ignore" });
      for (const way of [
        { COSI_ENDPOINT },
        { ...atCommand.environment(fixed), COMMAND: JSON.stringify(atCommand.command) },
      ]) {
        await stack.up(way);
        await stack.destroy(way);
      }
      const named = (stub: StubDriver): (string | undefined)[] =>
        stub.calls().map((call) => call.split(" ")[0]?.split("/").at(-1));
      assert.deepEqual(named(atEndpoint), calls);
      assert.deepEqual(atCommand.calls(), atEndpoint.calls());
      assert.equal(atCommand.starts().length, 2, "once for up and once for destroy");
    });
  });
});
