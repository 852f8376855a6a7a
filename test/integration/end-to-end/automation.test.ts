import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { DriverCreateBucketRequest } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { namespaceKind, secretKind } from "../../../provider/kubernetes/object";
import { bucketClassKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { startStore } from "../../../tools/local/store";
import type { Store } from "../../../tools/local/store-access";
import { createPulumiEnvironment, type PulumiEnvironment } from "../../../tools/toolchain/pulumi-environment";
import { StoreAdmin } from "../../drivers/s3/support/store-admin";
import { obligingDriver, s3Secrets } from "../../support/cosi-v1alpha1";
import { Cluster } from "../../support/end-to-end/cluster";
import { s3DriverEnvironment } from "../../support/end-to-end/s3-driver-environment";

const repository = path.join(__dirname, "..", "..", "..");

interface Ended {
  readonly code: number;
  readonly text: string;
}

/** What the example tells of a team: outputs, or how many resources change in which way. */
type Told = Readonly<Record<string, unknown>>;

describe("the example teams: stacks of the Automation API, several in one process", function () {
  this.timeout(300_000);
  let store: Store;
  let admin: StoreAdmin;
  let cluster: Cluster;
  let environment: PulumiEnvironment;
  let folder: string;
  let usersBefore: readonly string[];
  /** Ids, by team. */
  const buckets: Record<string, string> = {};

  before(async () => {
    [store, cluster, environment] = await Promise.all([
      startStore(),
      Cluster.start({ controllerManager: true }),
      createPulumiEnvironment(),
    ]);
    admin = new StoreAdmin(store);
    usersBefore = await admin.users();
    folder = path.join(environment.folder, "program");
    fs.cpSync(path.join(repository, "examples", "teams"), folder, { recursive: true });
    fs.rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
    fs.symlinkSync(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  });
  after(async () => {
    await environment.remove();
    await admin.cleanUp();
    await Promise.all([store.stop(), cluster.stop()]);
  });

  /** `npx ts-node teams.ts` with these arguments. */
  function teams(command: string, ...names: readonly string[]): Promise<Ended> {
    const env = { ...environment.env, ...s3DriverEnvironment(store), ...cluster.variables };
    const args = ["--transpile-only", "teams.ts", command, ...names];
    return new Promise((resolve) => {
      execFile("ts-node", args, { cwd: folder, env }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
        resolve({ code, text: stdout + stderr });
      });
    });
  }

  /** What a command that must succeed told of each team. */
  async function succeed(command: string, ...names: readonly string[]): Promise<Record<string, Told>> {
    const { code, text } = await teams(command, ...names);
    assert.equal(code, 0, text);
    return Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => {
          const [name = "", ...json] = line.split(" ");
          return [name, JSON.parse(json.join(" ")) as Told];
        }),
    );
  }

  const secretOf = (team: string) =>
    cluster.client.get(secretKind, { namespace: `team-${team}`, name: "data" });

  it("make for each team what is its own, at once", async () => {
    const told = await succeed("up", "red", "blue");
    assert.deepEqual(Object.keys(told), ["red", "blue"]);
    for (const [team, { bucket }] of Object.entries(told)) {
      buckets[team] = String(bucket);
      assert.equal(await admin.bucketsNamed(String(bucket)), 1, team);
      const { BUCKET_NAME = "" } = (await secretOf(team))?.["data"] as Record<string, string>;
      assert.equal(Buffer.from(BUCKET_NAME, "base64").toString(), bucket, team);
    }
    assert.notEqual(buckets["red"], buckets["blue"]);
  });

  it("have nothing to do when nothing has changed, in a preview and in an up", async () => {
    for (const [team, changes] of Object.entries(await succeed("preview", "red", "blue")))
      assert.deepEqual(Object.keys(changes), ["same"], team);
    const told = await succeed("up", "red", "blue");
    assert.deepEqual(
      Object.entries(told).map(([team, { bucket }]) => [team, bucket]),
      Object.entries(buckets),
    );
  });

  it("say for which team what has failed, while others go on", async () => {
    const { code, text } = await teams("preview", "Not_A_Name", "blue");
    assert.equal(code, 1, text);
    assert.match(text, /^blue \{"same":\d+\}$/m);
    assert.match(text, /^Not_A_Name .*$/m);
    assert.match(text, /error: .*team-Not_A_Name/);
  });

  it("keep the data of a team that goes, and nothing else of it", async () => {
    await succeed("destroy", "red");
    assert.equal(await admin.bucketsNamed(buckets["red"] ?? ""), 1);
    assert.equal(await cluster.client.get(namespaceKind, { name: "team-red" }), undefined);
    assert.equal(await cluster.client.get(bucketClassKind, { name: "red-buckets" }), undefined);
    assert.notEqual(await secretOf("blue"), undefined);
    await succeed("destroy", "blue");
    assert.deepEqual(await admin.users(), usersBefore);
  });
});

/** One stack for each driver, told by its workspace where that is. */
const program = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const cosi = require("pulumi-cosi/core");
const { createHash } = require("node:crypto");

async function up([stackName, COSI_ENDPOINT]) {
  const program = async () => {
    const bucket = new cosi.Bucket("photos", { driver: new cosi.Driver("store"), name: stackName });
    const access = new cosi.BucketAccess("photos", { bucket });
    return { key: access.accessSecretKey };
  };
  const projectSettings = { name: "p", runtime: "nodejs", main: __dirname };
  const options = { projectSettings, envVars: { COSI_ENDPOINT } };
  const stack = await LocalWorkspace.createOrSelectStack({ projectName: "p", stackName, program }, options);
  const { outputs, stdout } = await stack.up();
  if (stdout.includes(outputs.key.value)) throw new Error("the secret is in the output");
  const sha256 = createHash("sha256").update(outputs.key.value).digest("hex");
  return { sha256, secret: outputs.key.secret };
}

Promise.all(JSON.parse(process.argv[2]).map(up)).then((keys) => console.log(JSON.stringify(keys)));
`;

describe("stacks of the Automation API in a process that runs elsewhere", function () {
  this.timeout(120_000);
  let environment: PulumiEnvironment;
  let file: string;

  before(async () => {
    environment = await createPulumiEnvironment();
    file = path.join(environment.folder, "service", "main.js");
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, program);
    fs.symlinkSync(path.join(repository, "node_modules"), path.join(path.dirname(file), "node_modules"));
  });
  after(() => environment.remove());

  it("find the providers by the project's main, and their own driver by envVars, also at once", async () => {
    const names = ["red", "blue"] as const;
    const drivers = await Promise.all(names.map((name) => obligingDriver(`${name}.example.com`).start()));
    try {
      const given = JSON.stringify(drivers.map(({ endpoint }, index) => [names[index], endpoint]));
      const { stdout } = await promisify(execFile)(process.execPath, [file, given], {
        cwd: environment.folder,
        env: environment.env,
      });
      const sha256 = createHash("sha256")
        .update(s3Secrets()["accessSecretKey"] ?? "")
        .digest("hex");
      const key = { sha256, secret: true };
      assert.deepEqual(JSON.parse(stdout), [key, key]);
      assert.deepEqual(
        drivers.map((driver) =>
          driver
            .bodies("DriverCreateBucket")
            .map((body) => DriverCreateBucketRequest.decode(Buffer.from(body, "hex")).name),
        ),
        names.map((name) => [name]),
      );
    } finally {
      for (const driver of drivers) driver.stop();
    }
  });
});
