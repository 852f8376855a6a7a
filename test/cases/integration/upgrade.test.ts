import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { diagnostics } from "../../support/end-to-end/output";
import { quickProgram } from "../../support/end-to-end/program";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");

/** POLICY in its environment is the bucket's. */
const program = (endpoint: string): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

class Team {
  readonly driver = new cosi.Driver("store", { endpoint: ${JSON.stringify(endpoint)} });
  readonly bucket = new cosi.Bucket("photos", {
    driver: this.driver, deletionPolicy: process.env["POLICY"] as "Retain" | "Delete",
  });
  readonly accesses = ["reader", "writer"].map((name) => new cosi.BucketAccess(name, { bucket: this.bucket }));
}
const team = new Team();
export const bucketId: pulumi.Output<string> = team.bucket.bucketId;
`;

describe("a later release of the package, in a stack that an earlier one has made", function () {
  this.timeout(300_000);
  let driver: WatchedDriver;
  let stack: Stack;
  /** Folder in which the program has the package. */
  let installed: string;

  before(async () => {
    driver = await new WatchedDriver().start();
    stack = await Stack.create(
      { source: program(driver.fake.endpoint) },
      { ...quickProgram, POLICY: "Delete" },
    );
    const modules = path.join(stack.folder, "node_modules");
    installed = installCopies(modules);
    const compilerOptions = { target: "ESNext", module: "nodenext", strict: true };
    fs.writeFileSync(path.join(stack.folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    await stack.up();
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  it("a program whose target is ESNext reads the outputs of what the earlier one made [CASE-U12]", async () => {
    const [created = ""] = driver.events.filter((event) => event.startsWith("answered create "));
    assert.deepEqual(await stack.outputs(), { bucketId: created.replace("answered create ", "") });
  });

  it("an update in place is planned for its own resource alone [CASE-U09]", async () => {
    const steps = await stack.plannedSteps({ POLICY: "Retain" });
    assert.deepEqual(
      steps.map(({ op, urn }) => `${op} ${urn.split("::").at(-1) ?? ""}`),
      ["update photos"],
    );
  });

  it("a provider whose every file was edited, and another release of the SDK, change no resource [CASE-U01]", async () => {
    setVersion(installed, "99.0.0");
    setVersion(path.join(installed, "..", "@pulumi", "pulumi"), "3.999.0");
    const edited = fs
      .readdirSync(path.join(installed, "dist", "provider"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js"))
      .map((file) => path.join(installed, "dist", "provider", file));
    assert.ok(edited.length > 50);
    for (const file of edited) fs.appendFileSync(file, "\n// A comment of the later release.\n");
    driver.forget();
    await stack.succeed(["preview", "--expect-no-changes"]);
    assert.deepEqual(driver.counts(), {});
  });

  it("a destroy runs the code of the later release, and leaves nothing [CASE-U02] [CASE-P29]", async () => {
    for (const type of ["bucket", "bucket-access"]) {
      const file = path.join(installed, "dist", "provider", type, "provider.js");
      fs.appendFileSync(
        file,
        `
const earlier = exports.provider.delete;
exports.provider.delete = (id, props) => {
  process.stdout.write("the later release deletes a ${type}\\n");
  return earlier(id, props);
};
`,
      );
    }
    driver.forget();
    const said = diagnostics(await stack.destroy()).match(/the later release deletes a \S+/g) ?? [];
    assert.deepEqual(said.sort(), [
      "the later release deletes a bucket",
      "the later release deletes a bucket-access",
      "the later release deletes a bucket-access",
    ]);
    assert.deepEqual(driver.counts(), {
      DriverGetInfo: 1,
      DriverRevokeBucketAccess: 2,
      DriverDeleteBucket: 1,
    });
    assert.deepEqual((await stack.state()).resources, []);
  });
});

/**
 * Gives a program copies of the package and of the SDK in place of links, which a test may edit.
 *
 * @returns The folder of the package.
 */
function installCopies(modules: string): string {
  fs.rmSync(modules, { force: true });
  fs.mkdirSync(modules);
  const own = path.join(repository, "node_modules");
  link(own, modules, ["@pulumi", "pulumi-cosi"]);
  fs.mkdirSync(path.join(modules, "@pulumi"));
  link(path.join(own, "@pulumi"), path.join(modules, "@pulumi"), ["pulumi"]);
  fs.cpSync(path.join(own, "@pulumi", "pulumi"), path.join(modules, "@pulumi", "pulumi"), {
    recursive: true,
  });
  const installed = path.join(modules, "pulumi-cosi");
  fs.mkdirSync(installed);
  fs.copyFileSync(path.join(repository, "package.json"), path.join(installed, "package.json"));
  fs.cpSync(path.join(repository, "dist"), path.join(installed, "dist"), { recursive: true });
  return installed;
}

/** Links everything of a folder but some into another. */
function link(from: string, to: string, but: readonly string[]): void {
  for (const name of fs.readdirSync(from).filter((entry) => !but.includes(entry))) {
    fs.symlinkSync(path.join(from, name), path.join(to, name));
  }
}

function setVersion(folder: string, version: string): void {
  const file = path.join(folder, "package.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;
  fs.writeFileSync(file, JSON.stringify({ ...manifest, version }));
}
