import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { obligingDriver, secretKey } from "../../support/cosi-v1alpha1";
import type { FakeDriver } from "../../support/fake-driver";
import { quickProgram } from "../../support/end-to-end/program";
import { linkPlugin } from "../../support/linked-plugin";
import { Stack } from "../../support/stack";

/** Resources by their types, as a program in a language without an SDK has them. */
const head = `
import * as pulumi from "@pulumi/pulumi";
const aliased = process.env["ALIASED"] === "yes";
const deleteBeforeReplace = process.env["DELETE_FIRST"] === "yes";
class Cosi extends pulumi.CustomResource {
  declare readonly reference: pulumi.Output<unknown>;
  declare readonly bucketId: pulumi.Output<string>;
  declare readonly accessSecretKey: pulumi.Output<string>;
  constructor(kind: string, name: string, inputs: pulumi.Inputs, outputs: string[]) {
    const alias = { aliases: [{ type: \`pulumi-nodejs:dynamic/cosi:\${kind}\` }] };
    const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super(\`cosi:index:\${kind}\`, name, { ...unset, ...inputs }, { deleteBeforeReplace, ...(aliased ? alias : {}) });
  }
}
const endpoint = process.env["DRIVER"];
`;
const program = (bucket: string): string => `${head}
const store = new Cosi("Driver", "store", { endpoint }, ["reference"]);
const photos = new Cosi("Bucket", "photos", { driver: store.reference, ${bucket} }, ["reference", "bucketId"]);
const access = new Cosi("BucketAccess", "photos-rw", { bucket: photos.reference }, ["accessSecretKey"]);
export const bucket = photos.bucketId;
export const key = access.accessSecretKey;
`;

/** The same with dynamic resources. */
const dynamic = `
import * as cosi from "pulumi-cosi";
const store = new cosi.Driver("store", { endpoint: process.env["DRIVER"] });
const photos = new cosi.Bucket("photos", { driver: store, deletionPolicy: "Delete" });
new cosi.BucketAccess("photos-rw", { bucket: photos });
`;

describe("the plugin for other languages, under Pulumi's own engine", function () {
  this.timeout(300_000);
  let driver: FakeDriver;
  let stack: Stack;
  let plugin: string;

  before(async () => {
    driver = await obligingDriver().start();
    stack = await Stack.create({ source: "" }, { ...quickProgram, DRIVER: driver.endpoint });
    plugin = linkPlugin(stack);
    stack.know("the account's key", secretKey);
  });
  after(async () => {
    await stack.remove();
    driver.stop();
  });

  /** RPCs that a command sends. */
  const rpcs = async (args: string[], variables: Record<string, string> = {}): Promise<string[]> => {
    const earlier = driver.paths().length;
    await stack.succeed(args, variables);
    return driver.paths().slice(earlier);
  };
  const up = ["up", "--yes", "--skip-preview"];
  const unchanged = ["preview", "--diff", "--expect-no-changes"];

  it("Pulumi finds nothing wrong with its schema", async () => {
    const text = await stack.succeed(["package", "get-schema", plugin]);
    const file = path.join(stack.folder, "schema.json");
    fs.writeFileSync(file, text.slice(text.indexOf("{")));
    await stack.succeed(["schema", "check", file]);
  });

  it("a stack of dynamic resources is taken over by aliases: nothing is replaced, no bucket or account is touched", async () => {
    stack.write(dynamic);
    await stack.up();
    stack.write(program('deletionPolicy: "Delete"'));
    assert.deepEqual(await rpcs(up, { ALIASED: "yes" }), ["DriverGetInfo"]);
    const { resources } = await stack.state();
    assert.deepEqual(
      resources.filter(({ type }) => type.includes("dynamic")),
      [],
    );
    assert.deepEqual(await rpcs(unchanged, { ALIASED: "yes" }), []);
    assert.deepEqual(await rpcs(["destroy", "--yes", "--skip-preview"]), [
      "DriverGetInfo",
      "DriverRevokeBucketAccess",
      "DriverDeleteBucket",
    ]);
  });

  it("a first preview and an unchanged program send nothing, and what a run makes is encrypted in the state", async () => {
    stack.write(program('deletionPolicy: "Delete"'));
    assert.deepEqual(await rpcs(["preview"]), []);
    assert.deepEqual(await rpcs(up), ["DriverGetInfo", "DriverCreateBucket", "DriverGrantBucketAccess"]);
    assert.equal((await stack.outputs())["key"], secretKey);
    assert.ok(!(await stack.state()).text.includes(secretKey));
    assert.deepEqual(await rpcs(unchanged), []);
    assert.deepEqual(await rpcs(["refresh", "--yes", "--skip-preview"]), []);
    assert.deepEqual(await rpcs(unchanged), []);
  });

  it("an update of the bucket leaves its access alone in the preview, and a replacement takes it along", async () => {
    stack.write(program('deletionPolicy: "Retain"'));
    const planned = async (): Promise<unknown[]> =>
      (await stack.plannedSteps()).map(({ op, urn }) => `${op} ${urn.split("::").at(-1) ?? ""}`);
    assert.deepEqual(await planned(), ["update photos"]);
    stack.write(program('deletionPolicy: "Delete", parameters: { tier: "cold" }'));
    assert.match(
      await stack.fail(["preview"]),
      /would be replaced because of parameters, and its deletionPolicy/,
    );
    stack.write(program('deletionPolicy: "Retain"'));
    await stack.up();
    stack.write(program('deletionPolicy: "Retain", parameters: { tier: "cold" }'));
    const steps = await planned();
    assert.ok(steps.includes("replace photos") && steps.includes("replace photos-rw"), steps.join());
    await stack.destroy();
  });

  it("a replacement that the user asks for revokes and grants with deleteBeforeReplace, and is told to be none without", async () => {
    stack.write(program('deletionPolicy: "Delete"'));
    await stack.up();
    const { resources } = await stack.state();
    const { urn } =
      resources.find(({ type }) => type === "cosi:index:BucketAccess") ?? assert.fail("no access");
    const replace = [...up, "--replace", urn];
    const first = await rpcs(replace, { DELETE_FIRST: "yes" });
    assert.deepEqual(first.slice(-2), ["DriverRevokeBucketAccess", "DriverGrantBucketAccess"]);
    const earlier = driver.paths().length;
    const printed = await stack.succeed(replace);
    assert.match(
      printed,
      /nothing was replaced: .*the old account is as it was. Next: set the option deleteBeforeReplace/,
    );
    assert.ok(!driver.paths().slice(earlier).includes("DriverRevokeBucketAccess"));
    await stack.destroy();
  });

  it("a plan that is saved is followed, though an input is known to be secret only at up", async () => {
    const late = `${head}
class Late extends pulumi.dynamic.Resource {
  declare readonly word: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: "late", outs: { word: "w0rd" } }) }, name, { word: undefined });
  }
}
const { word } = new Late("late");
const parameter = pulumi.runtime.isDryRun() ? word : pulumi.secret(word);
const store = new Cosi("Driver", "store", { endpoint }, ["reference"]);
new Cosi("Bucket", "photos", { driver: store.reference, parameters: { parameter } }, ["reference"]);
`;
    stack.write(late);
    const plan = path.join(stack.folder, "plan.json");
    await stack.succeed(["preview", "--save-plan", plan]);
    await stack.succeed([...up, "--plan", plan]);
    await stack.destroy();
  });
});
