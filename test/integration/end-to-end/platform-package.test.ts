import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { secretKind } from "../../../provider/kubernetes/object";
import { bucketClaimKind } from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { Cluster } from "../../support/end-to-end/cluster";
import { install, pack, runProgram, type Tarball } from "../../support/end-to-end/installed-package";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { Stack } from "../../support/stack";

const repository = path.join(__dirname, "..", "..", "..");
const example = path.join(repository, "examples", "platform-package");

describe("a project that has an organisation's package from its tarball, outside the repository", function () {
  this.timeout(600_000);
  let cluster: Cluster;
  let driver: WatchedDriver;
  let stack: Stack;
  let tarball: Tarball;

  before(async () => {
    [cluster, driver] = await Promise.all([
      Cluster.start({ controllerManager: true }),
      new WatchedDriver().start(),
    ]);
    stack = await Stack.create(
      { example: "platform-package/consumer" },
      { ...cluster.variables, COSI_ENDPOINT: driver.fake.endpoint },
    );
    const { folder } = stack.environment;
    // Compiled in a copy, so that nothing is left in the example.
    const source = path.join(folder, "platform-package");
    fs.cpSync(example, source, {
      recursive: true,
      filter: (file) => !["consumer", "dist", "node_modules"].includes(path.basename(file)),
    });
    fs.symlinkSync(path.join(repository, "node_modules"), path.join(source, "node_modules"));
    const [own, organisations] = [await pack(folder), await pack(folder, source)];
    tarball = organisations;
    await install([own, organisations], stack.folder);
    const compilerOptions = { target: "ES2022", module: "nodenext", strict: true, skipLibCheck: false };
    fs.writeFileSync(path.join(stack.folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  });
  after(async () => {
    await stack.remove();
    driver.fake.stop();
    await cluster.stop();
  });

  it("gets what is compiled, with its types, and neither tests nor sources", () => {
    assert.deepEqual(
      [...tarball.contents].sort(),
      [
        "README.md",
        ...["app-bucket", "index", "policy", "storage-platform"].flatMap((name) => [
          `dist/${name}.d.ts`,
          `dist/${name}.js`,
        ]),
        "package.json",
      ].sort(),
    );
  });

  it("has one copy of pulumi-cosi, and nothing that leads into the repository", () => {
    const modules = path.join(stack.folder, "node_modules");
    const found = fs
      .readdirSync(modules, { recursive: true, encoding: "utf8" })
      .filter((file) => /(^|\/)pulumi-cosi\/package\.json$/.test(file));
    assert.deepEqual(found, ["pulumi-cosi/package.json"]);
    for (const name of ["pulumi-cosi", "@acme/platform-storage"]) {
      const place = fs.realpathSync(path.join(modules, name));
      assert.ok(!place.startsWith(`${repository}${path.sep}`), place);
    }
  });

  it("compiles, with the types of its libraries", async () => {
    const tsc = path.join(stack.folder, "node_modules", ".bin", "tsc");
    const { code, text } = await runProgram(tsc, ["--noEmit", "-p", "."], { cwd: stack.folder });
    assert.equal(code, 0, text);
  });

  it("is run by preview, up and destroy, and has its bucket as the organisation wants it", async () => {
    const unreachable = await cluster.unreachable(stack.environment.folder);
    assert.match(await stack.succeed(["preview"], unreachable), /to create/);
    assert.deepEqual(driver.counts(), {});

    await stack.up();
    const outputs = await stack.outputs();
    const claim = await cluster.get(bucketClaimKind, "web-photos", "shop");
    assert.deepEqual(outputs, {
      bucket: `bucket-${claim.metadata.uid ?? ""}`,
      secret: "photos-bucket",
      readerSecret: "photos-bucket-reader",
    });
    const secrets = (await cluster.client.list(secretKind)).map(
      ({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`,
    );
    assert.deepEqual(secrets.sort(), ["shop/photos-bucket", "shop/photos-bucket-reader"]);
    await stack.succeed(["preview", "--expect-no-changes"]);

    await stack.destroy();
    assert.deepEqual(driver.counts()["DriverDeleteBucket"], 1);
    assert.deepEqual(driver.counts()["DriverRevokeBucketAccess"], 2);
  });
});
