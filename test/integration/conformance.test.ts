import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ListBucketsCommand } from "@aws-sdk/client-s3";
import type { Report } from "../../conformance/report";
import { startStore } from "../../tools/local/store";
import type { Store } from "../../tools/local/store-access";
import { TestedDriver } from "../conformance/support/tested-driver";
import { StoreAdmin } from "../drivers/s3/support/store-admin";

const program = join(resolve(__dirname, "../.."), "dist/cli/main.js");

describe("the conformance check on the S3 driver at a real store", function () {
  this.timeout(600_000);
  let store: Store;
  let admin: StoreAdmin;

  before(async () => {
    store = await startStore();
    admin = new StoreAdmin(store);
  });

  after(() => store.stop());

  /** Starts the check as a user does. */
  function start(...args: string[]) {
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [program, "conformance", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH,
        AWS_REGION: store.region,
        AWS_ACCESS_KEY_ID: store.accessKeyId,
        AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
        S3_DRIVER_S3_ENDPOINT: store.endpoint,
      },
    });
    const exit = once(child, "exit").then(([code]) => code as number | null);
    return { child, exit, out: text(child.stdout), err: text(child.stderr) };
  }

  /** All buckets and users of the store. */
  async function listing(): Promise<unknown> {
    const { Buckets = [] } = await admin.s3.send(new ListBucketsCommand({}));
    return { buckets: Buckets.map(({ Name }) => Name).sort(), users: await admin.users() };
  }

  it("leaves no more than one bucket, and lists it, where buckets keep versions, which no key of this driver may remove [GRPC-130]", async () => {
    const options = ["--json", "--check-credentials", "--parameter", "versioning=true", "--idle", "0"];
    const { exit, out } = start(...options, "--command", "cosi-driver-s3");
    const [code, json] = await Promise.all([exit, out]);
    const { leftovers, lines } = JSON.parse(json) as Report;
    assert.equal(leftovers.length, 1);
    assert.match(leftovers[0]?.reason ?? "", /it holds objects, the first "cosi-conformance-/);
    assert.equal(code, 0);
    assert.equal(lines.find(({ id }) => id === "GRPC-077")?.status, "pass");
    const { Buckets = [] } = await admin.s3.send(new ListBucketsCommand({}));
    assert.deepEqual(
      Buckets.flatMap(({ Name = "" }) => (Name.startsWith("cosi-conformance-") ? [Name] : [])),
      leftovers.map(({ name }) => name),
    );
  });

  it("finds it compliant, credentials and process included, and leaves the store as it was [GRPC-128] [GRPC-129] [GRPC-130]", async () => {
    const before = await listing();
    const { exit, out, err } = start(
      "--json",
      "--check-credentials",
      "--other-parameter",
      "versioning=true",
      "--other-access-parameter",
      "accessMode=ro",
      "--idle",
      "1",
      "--command",
      "cosi-driver-s3",
    );
    const [code, json, errors] = await Promise.all([exit, out, err]);
    assert.equal(errors, "");
    const report = JSON.parse(json) as Report;
    const failed = report.lines.filter(({ status }) => status === "fail");
    assert.deepEqual(failed, []);
    assert.equal(code, 0);
    assert.equal(report.compliant, true);
    assert.equal(report.driver, "s3.pulumi-cosi.dev");
    const passed = new Set(report.lines.filter(({ status }) => status === "pass").map(({ id }) => id));
    for (const id of ["GRPC-020", "GRPC-021", "GRPC-025", "GRPC-026", "GRPC-077", "GRPC-100", "GRPC-103"]) {
      assert.ok(passed.has(id), `${id} was not judged as passed`);
    }
    assert.equal(json.includes(store.secretAccessKey), false);
    assert.deepEqual(report.leftovers, []);
    assert.deepEqual(await listing(), before);
  });

  it("removes what it made when it is ended by Ctrl-C [GRPC-130]", async () => {
    const before = await listing();
    const { child, exit, out } = start("--idle", "1", "--command", "cosi-driver-s3");
    while (JSON.stringify(await listing()) === JSON.stringify(before)) {
      assert.equal(child.exitCode, null, "the run ended before it made anything");
    }
    child.kill("SIGINT");
    assert.equal(await exit, 130);
    assert.match(await out, /No verdict: the run was interrupted\n$/);
    assert.deepEqual(await listing(), before);
  });

  it("ends by itself against a driver at an endpoint, and leaves that one running [GRPC-128]", async () => {
    const tested = await TestedDriver.start();
    try {
      const { exit, out } = start("--endpoint", tested.endpoint);
      assert.equal(await exit, 0);
      assert.match(await out, /\nCompliant: no MUST failed\.\n$/);
      assert.equal((await tested.run()).compliant, true);
    } finally {
      await tested.stop();
    }
  });
});
