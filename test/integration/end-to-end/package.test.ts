import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { install, pack, runProgram, type Tarball } from "../../support/end-to-end/installed-package";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");

const program = (endpoint: string): string => `
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

class Team extends pulumi.ComponentResource {
  readonly bucket: cosi.Bucket;
  readonly access: cosi.BucketAccess;

  constructor(name: string, driver: cosi.Driver) {
    super("example:Team", name);
    this.bucket = new cosi.Bucket(name, { driver, deletionPolicy: "Delete" }, { parent: this });
    this.access = new cosi.BucketAccess(name, { bucket: this.bucket }, { parent: this });
  }
}

const args: cosi.DriverArgs = { endpoint: ${JSON.stringify(endpoint)} };
const { bucket, access } = new Team("photos", new cosi.Driver("store", args));
export const bucketId: pulumi.Output<string> = bucket.bucketId;
export const region: pulumi.Output<string | null> = access.region;
export const accessKeyId: pulumi.Output<string | null> = access.accessKeyId;
/** Types of what a program with a cluster uses. */
export type Claims = cosi.objectstorage.BucketClaim[];
`;

describe("the package, installed from its tarball in a folder of its own", function () {
  this.timeout(400_000);
  let driver: WatchedDriver;
  let stack: Stack;
  let tarball: Tarball;
  let installed: string;

  before(async () => {
    driver = await new WatchedDriver().start();
    stack = await Stack.create({ source: program(driver.fake.endpoint) });
    tarball = await pack(stack.environment.folder);
    await install(tarball, stack.folder);
    installed = path.join(stack.folder, "node_modules", "pulumi-cosi");
    const compilerOptions = { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: false };
    fs.writeFileSync(path.join(stack.folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
  });

  it("holds what it needs at run time, compiled from the present sources, and nothing else", () => {
    const documents =
      /^(README|CHANGELOG|LICENSE|package)(\.md|\.json)?$|^(drivers\/\w+|docs|docs\/reference)\/.*\.md$|^docs\/images\/.*\.svg$/;
    const generated =
      /^proto\/[\w.-]+\/.*\.(proto|yaml)$|^dist\/gen\/[\w.-]+\/image\.binpb$|^dist\/provider\/plugin\/schema\.json$|^dist\/(provider\/inputs|components\/\w+)\/argument-types\.json$/;
    const bundled = /^dist\/gen\/kubeconfig\/(index\.js|index\.d\.ts|LICENSES\.txt)$/;
    const compiled =
      /^dist\/((index|core|(?:provider|components|drivers|conformance|cli|policy|gen)\/.*?))(\.d\.ts|\.js|\.js\.map)$/;
    const foreign = tarball.contents.filter((file) => {
      if ([documents, generated, bundled].some((kind) => kind.test(file))) return false;
      const source = compiled.exec(file)?.[1];
      return source === undefined || !fs.existsSync(path.join(repository, `${source}.ts`));
    });
    assert.deepEqual(foreign, []);
    for (const needed of ["dist/index.js", "dist/index.d.ts", "dist/gen/cosi.v1alpha1/image.binpb"]) {
      assert.ok(tarball.contents.includes(needed), needed);
    }
  });

  it("has no path of the machine that built it in any file", () => {
    const places = [repository, path.dirname(repository), process.env["HOME"]].filter(
      (place): place is string => place !== undefined && place.length > 1,
    );
    const found = tarball.contents.filter((file) => {
      const text = fs.readFileSync(path.join(installed, file), "latin1");
      return places.some((place) => text.includes(`${place}/`));
    });
    assert.deepEqual(found, []);
  });

  it("has types for a strict program that checks those of its libraries too", async () => {
    const tsc = path.join(stack.folder, "node_modules", ".bin", "tsc");
    const { code, text } = await runProgram(tsc, ["--noEmit", "-p", "."], { cwd: stack.folder });
    assert.equal(code, 0, text);
  });

  it("brings the program pulumi-cosi, which says what it can do", async () => {
    const bin = path.join(stack.folder, "node_modules", ".bin", "pulumi-cosi");
    const { code, text } = await runProgram(bin, ["--help"], { cwd: stack.folder });
    assert.equal(code, 0, text);
    assert.match(text, /conformance/);
  });

  it("brings the program cosi-driver-s3, which says what it needs", async () => {
    const bin = path.join(stack.folder, "node_modules", ".bin", "cosi-driver-s3");
    const env = { PATH: process.env["PATH"] };
    const { code, text } = await runProgram(bin, [], { cwd: stack.folder, env });
    assert.equal(code, 78, text);
    assert.match(text, /COSI_ENDPOINT/);
  });

  it("brings the program deployment-driver-postgres, which says what it needs", async () => {
    const bin = path.join(stack.folder, "node_modules", ".bin", "deployment-driver-postgres");
    const env = { PATH: process.env["PATH"] };
    const { code, text } = await runProgram(bin, [], { cwd: stack.folder, env });
    assert.equal(code, 78, text);
    assert.match(text, /Deployment_ENDPOINT/);
  });

  it("runs a program whose classes have fields, in preview, up and destroy, with values in all outputs [CASE-U12]", async () => {
    assert.match(await stack.succeed(["preview"]), /\+ 5 to create/);
    assert.deepEqual(driver.counts(), {});

    await stack.up();
    const [created = ""] = driver.events.filter((event) => event.startsWith("answered create "));
    assert.deepEqual(await stack.outputs(), {
      bucketId: created.replace("answered create ", ""),
      region: "eu-1",
      accessKeyId: "AKEXAMPLE",
    });
    await stack.succeed(["preview", "--expect-no-changes"]);

    await stack.destroy();
    assert.deepEqual(driver.fake.paths().slice(-2), ["DriverRevokeBucketAccess", "DriverDeleteBucket"]);
  });
});
