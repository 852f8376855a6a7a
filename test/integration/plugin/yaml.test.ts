import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { Stack as LocalStack } from "../../../tools/local/stack";
import { provideTool } from "../../../tools/toolchain/toolchain";
import { obligingDriver, secretKey } from "../../support/cosi-v1alpha1";
import { Page } from "../../support/docs/page";
import { quickProgram } from "../../support/end-to-end/program";
import type { FakeDriver } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");
/** The program that the page shows whole. */
const [, shown = ""] =
  /^<!-- run -->\n```yaml\n([\s\S]*?)^```/m.exec(new Page("docs/other-languages.md").text) ?? [];

/** The same program with dynamic resources, as it was before. */
const dynamic = `
import * as cosi from "pulumi-cosi";
const store = new cosi.Driver("store", { endpoint: process.env["DRIVER"] });
const photos = new cosi.Bucket("photos", { driver: store, deletionPolicy: "Delete" });
new cosi.BucketAccess("photos-rw", { bucket: photos });
`;

/** Puts the plugin into a stack's folder, where npm puts it. */
function installPlugin({ folder }: Pick<Stack, "folder">): void {
  const bin = path.join(folder, "node_modules", ".bin");
  fs.rmSync(path.join(folder, "node_modules"));
  fs.mkdirSync(bin, { recursive: true });
  const program = path.join(repository, "dist", "provider", "plugin", "main.js");
  fs.symlinkSync(program, path.join(bin, "pulumi-resource-cosi"));
}

/** Variables with which Pulumi finds its host for YAML. */
async function hostVariables(): Promise<Record<string, string>> {
  const host = await provideTool("pulumi-language-yaml");
  return { PATH: [path.dirname(host.path), process.env["PATH"]].join(path.delimiter) };
}

/** Puts the program of the page, and the plugin that it names, into a stack's folder. */
function writeShown(stack: Stack, { endpoint }: FakeDriver, project: string): void {
  installPlugin(stack);
  // A driver that is found, so that what it is sent can be seen.
  const found = shown
    .replace("command: [cosi-driver-s3]", `endpoint: ${endpoint}`)
    .replace("name: shop", `name: ${project}`);
  assert.ok(found.includes(endpoint) && found.includes(`name: ${project}`));
  fs.writeFileSync(path.join(stack.folder, "Pulumi.yaml"), found);
}

describe("the program in YAML that the page shows", function () {
  this.timeout(300_000);
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    driver = await obligingDriver().start();
    stack = await Stack.create({ source: "" }, await hostVariables());
    writeShown(stack, driver, "shop");
    // It is another project than the one that the stack was made for.
    await stack.succeed(["stack", "init", "test"]);
    stack.know("the account's key", secretKey);
  });
  after(async () => {
    await stack.remove();
    driver.stop();
  });

  it("is previewed without a call, makes what it says, and is unchanged then", async () => {
    assert.match(await stack.succeed(["preview"]), /\+ 4 to create/);
    assert.deepEqual(driver.paths(), []);
    await stack.up();
    const calls = ["DriverGetInfo", "DriverCreateBucket", "DriverGrantBucketAccess"];
    assert.deepEqual(driver.paths(), calls);
    const outputs = await stack.outputs();
    assert.equal(outputs["accessSecretKey"], secretKey);
    assert.match(String(outputs["bucket"]), /^photos-/);
    assert.ok(!(await stack.state()).text.includes(secretKey));
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(driver.paths(), calls);
    await stack.destroy();
    assert.deepEqual(driver.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
  });

  it("takes over a stack of dynamic resources, whatever it is called: nothing is created, revoked or deleted", async () => {
    const old = await obligingDriver().start();
    const variables = { ...stack.variables, ...quickProgram, DRIVER: old.endpoint };
    const moved = await Stack.create({ source: dynamic }, variables);
    try {
      await moved.succeed(["stack", "init", "some-other-name"]);
      await moved.up();
      const made = old.paths().length;
      writeShown(moved, old, "program");
      assert.doesNotMatch(await moved.succeed(["preview"]), /to (create|delete|replace)/);
      await moved.up();
      assert.deepEqual(old.paths().slice(made), ["DriverGetInfo"]);
      const { resources } = await moved.state();
      assert.deepEqual(
        resources.filter(({ type }) => type.includes("dynamic")),
        [],
      );
      await moved.succeed(["preview", "--expect-no-changes"]);
      await moved.destroy();
    } finally {
      await moved.remove();
      old.stop();
    }
  });
});

describe("a program in YAML whose drivers have secret settings", function () {
  this.timeout(300_000);
  const hush = ["hush-hush-argument", "hush-hush-variable"];
  const variables: Record<string, string> = { ...quickProgram };
  let driver: FakeDriver;
  // Not watched: a reference is secret as a whole, and most that is in it is open elsewhere.
  let stack: LocalStack;

  before(async () => {
    driver = await obligingDriver().start();
    // What the shell has, which the Driver's environment goes before.
    Object.assign(variables, await hostVariables(), { STUB_BUCKET: "made-in-the-shell" });
    stack = await LocalStack.create({ source: "" }, variables);
    variables["STUB_REPORT"] = path.join(stack.environment.folder, "starts");
    installPlugin(stack);
    const stub = path.join(repository, "test", "support", "stub-driver.mjs");
    fs.writeFileSync(
      path.join(stack.folder, "Pulumi.yaml"),
      `name: program
runtime: yaml
plugins: { providers: [{ name: cosi, path: node_modules/.bin }] }
resources:
  started:
    type: cosi:Driver
    properties:
      command: [node, "${stub}", { "fn::secret": ${hush[0] ?? ""} }]
      environment: { STUB_BUCKET: made-with-the-environment, STUB_SECRET: ${hush[1] ?? ""} }
  photos: { type: cosi:Bucket, properties: { driver: "\${started.reference}", deletionPolicy: Delete } }
  photos-rw: { type: cosi:BucketAccess, properties: { bucket: "\${photos.reference}" } }
  found: { type: cosi:Driver, properties: { endpoint: { "fn::secret": "${driver.endpoint}" } } }
  films: { type: cosi:Bucket, properties: { driver: "\${found.reference}", deletionPolicy: Delete } }
  films-rw: { type: cosi:BucketAccess, properties: { bucket: "\${films.reference}" } }
outputs:
  bucket: "\${photos.bucketId}"
  driver: "\${started.reference}"
`,
    );
  });
  after(async () => {
    await stack.remove();
    driver.stop();
  });

  /** Runs a command, which prints nothing secret. */
  const run = async (...args: string[]): Promise<string> => {
    const printed = await stack.succeed(args);
    for (const secret of hush) assert.ok(!printed.includes(secret), secret);
    return printed;
  };

  /** What the driver was started with: the bucket that its environment names, and its arguments. */
  const starts = (): unknown[] =>
    fs
      .readFileSync(variables["STUB_REPORT"] ?? "", "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { environment: Record<string, string>; arguments: string[] })
      .map(({ environment, arguments: given }) => [environment["STUB_BUCKET"], ...given]);

  it("has them in every call, of what uses a Driver too, in another stack too; previews and state show the rest", async () => {
    const start = ["made-with-the-environment", hush[0]];
    assert.match(await run("preview"), /\+ 7 to create/);
    await run("up", "--yes", "--skip-preview");
    assert.match(await run("stack", "output", "bucket"), /^made-with-the-environment$/m);
    assert.deepEqual(starts(), [start]);
    const calls = ["DriverGetInfo", "DriverCreateBucket", "DriverGrantBucketAccess"];
    assert.deepEqual(driver.paths(), calls);
    await run("preview", "--expect-no-changes");
    await run("refresh", "--yes", "--skip-preview");
    await run("preview", "--expect-no-changes");
    const { resources, text } = await stack.state();
    for (const secret of hush) assert.ok(!text.includes(secret), secret);
    const photos = resources.find(({ urn }) => urn.endsWith("::photos")) ?? assert.fail("no bucket");
    const kept = photos.inputs?.["driver"] as Record<string, unknown>;
    assert.deepEqual([kept["driverName"], kept["contract"]], ["stub.example.com", "cosi.v1alpha1"]);
    const program = path.join(stack.folder, "Pulumi.yaml");
    const own = fs.readFileSync(program, "utf8");
    await stack.succeed(["stack", "init", "other"]);
    fs.writeFileSync(
      program,
      `name: program
runtime: yaml
plugins: { providers: [{ name: cosi, path: node_modules/.bin }] }
resources:
  first: { type: "pulumi:pulumi:StackReference", properties: { name: organization/program/test } }
  photos: { type: cosi:Bucket, properties: { driver: '\${first.outputs["driver"]}', deletionPolicy: Delete } }
`,
    );
    await run("up", "--yes", "--skip-preview");
    await run("destroy", "--yes", "--skip-preview");
    fs.writeFileSync(program, own);
    await stack.succeed(["stack", "select", "test"]);
    await run("destroy", "--yes", "--skip-preview");
    assert.deepEqual(starts(), [start, start, start, start]);
    assert.deepEqual(driver.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
  });
});
