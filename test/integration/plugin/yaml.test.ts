import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { provideTool } from "../../../tools/toolchain/toolchain";
import { obligingDriver, secretKey } from "../../support/cosi-v1alpha1";
import { Page } from "../../support/docs/page";
import type { FakeDriver } from "../../support/fake-driver";
import { Stack } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");
/** The program that the page shows whole. */
const [, shown = ""] =
  /^<!-- run -->\n```yaml\n([\s\S]*?)^```/m.exec(new Page("docs/other-languages.md").text) ?? [];

describe("the program in YAML that the page shows", function () {
  this.timeout(300_000);
  let driver: FakeDriver;
  let stack: Stack;

  before(async () => {
    const host = await provideTool("pulumi-language-yaml");
    driver = await obligingDriver().start();
    const variables = { PATH: [path.dirname(host.path), process.env["PATH"]].join(path.delimiter) };
    stack = await Stack.create({ source: "" }, variables);
    // Where npm puts it.
    const bin = path.join(stack.folder, "node_modules", ".bin");
    fs.rmSync(path.join(stack.folder, "node_modules"));
    fs.mkdirSync(bin, { recursive: true });
    const program = path.join(repository, "dist", "provider", "plugin", "main.js");
    fs.symlinkSync(program, path.join(bin, "pulumi-resource-cosi"));
    // A driver that is found, so that what it is sent can be seen.
    const found = shown.replace("command: [cosi-driver-s3]", `endpoint: ${driver.endpoint}`);
    assert.notEqual(found, shown);
    fs.writeFileSync(path.join(stack.folder, "Pulumi.yaml"), found);
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
});
