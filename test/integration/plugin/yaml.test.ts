import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
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

/** Puts the program of the page, and the plugin that it names, into a stack's folder. */
function writeShown({ folder }: Stack, { endpoint }: FakeDriver, project: string): void {
  // Where npm puts it.
  const bin = path.join(folder, "node_modules", ".bin");
  fs.rmSync(path.join(folder, "node_modules"));
  fs.mkdirSync(bin, { recursive: true });
  const program = path.join(repository, "dist", "provider", "plugin", "main.js");
  fs.symlinkSync(program, path.join(bin, "pulumi-resource-cosi"));
  // A driver that is found, so that what it is sent can be seen.
  const found = shown
    .replace("command: [cosi-driver-s3]", `endpoint: ${endpoint}`)
    .replace("name: shop", `name: ${project}`);
  assert.ok(found.includes(endpoint) && found.includes(`name: ${project}`));
  fs.writeFileSync(path.join(folder, "Pulumi.yaml"), found);
}

describe("the program in YAML that the page shows", function () {
  this.timeout(300_000);
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    const host = await provideTool("pulumi-language-yaml");
    driver = await obligingDriver().start();
    const variables = { PATH: [path.dirname(host.path), process.env["PATH"]].join(path.delimiter) };
    stack = await Stack.create({ source: "" }, variables);
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
