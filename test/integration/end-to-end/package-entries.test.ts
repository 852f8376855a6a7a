import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { install, pack, runProgram, type Tarball } from "../../support/end-to-end/installed-package";

const repository = path.join(__dirname, "..", "..", "..");

/** What a program may load, and something that it finds there. */
const entries: Readonly<Record<string, string>> = {
  "pulumi-cosi": "Bucket",
  "pulumi-cosi/core": "Driver",
  "pulumi-cosi/objectstorage": "BucketClaim",
  "pulumi-cosi/objectbucket": "ObjectBucketClaim",
  "pulumi-cosi/deployment": "DeploymentRequest",
  "pulumi-cosi/cosi20200708": "BucketRequest",
  "pulumi-cosi/cosi20200227": "BucketClass",
};

describe("the entries of the package, installed from its tarball", function () {
  this.timeout(400_000);
  let folder: string;
  let tarball: Tarball;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "package-entries-"));
    tarball = await pack(folder);
    fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
    await install(tarball, folder);
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const run = async (file: string, source: string): Promise<string> => {
    fs.writeFileSync(path.join(folder, file), source);
    const { code, text } = await runProgram(process.execPath, [file], { cwd: folder });
    assert.equal(code, 0, text);
    return text.trim();
  };

  it("are found by CommonJS and by ECMAScript modules", async () => {
    const all = Object.entries(entries);
    const required = all.map(([entry, name]) => `console.log(typeof require("${entry}").${name});`);
    assert.equal(await run("a.cjs", required.join("\n")), all.map(() => "function").join("\n"));
    const imported = all.map(
      ([entry, name], index) =>
        `import * as all${index} from "${entry}"; console.log(typeof (all${index}.${name} ?? all${index}.default.${name}));`,
    );
    assert.equal(await run("a.mjs", imported.join("\n")), all.map(() => "function").join("\n"));
  });

  it("have types for programs that resolve modules as Node does now, and as TypeScript did before", async () => {
    const source = Object.entries(entries)
      .map(
        ([entry, name], index) =>
          `import { ${name} as C${index} } from "${entry}";\nexport type T${index} = C${index};`,
      )
      .join("\n");
    fs.writeFileSync(path.join(folder, "types.ts"), source);
    const tsc = path.join(folder, "node_modules", ".bin", "tsc");
    for (const [module, resolution] of [
      ["nodenext", "nodenext"],
      ["commonjs", "node10"],
      ["esnext", "bundler"],
    ]) {
      const args = ["--noEmit", "--strict", "--target", "es2022", "--skipLibCheck"];
      const modules = ["--module", module ?? "", "--moduleResolution", resolution ?? ""];
      const { code, text } = await runProgram(tsc, [...args, ...modules, "types.ts"], { cwd: folder });
      assert.equal(code, 0, `${resolution ?? ""}: ${text}`);
    }
  });

  it("load no client of Kubernetes where only the core is used, and not the pack's @pulumi/policy", async () => {
    const loaded = (entry: string): Promise<string> =>
      run(
        "loaded.cjs",
        `require("${entry}");
const found = ["@pulumi/kubernetes", "@kubernetes/client-node", "@pulumi/policy", "@aws-sdk", "/pg/"].filter((name) =>
  Object.keys(require.cache).some((file) => file.includes("node_modules") && file.includes(name)));
console.log(found.join());`,
      );
    assert.equal(await loaded("pulumi-cosi/core"), "");
    assert.equal(await loaded("pulumi-cosi"), "@pulumi/kubernetes");
  });

  it("are as those who publish packages want them (publint, are the types wrong)", async () => {
    const { messages, pkg } = await publint({ pkgDir: repository, pack: false });
    assert.deepEqual(
      messages.filter(({ type }) => type !== "suggestion").map((message) => formatMessage(message, pkg)),
      [],
    );
    const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
    const found = await checkPackage(createPackageFromTarballData(fs.readFileSync(tarball.file)), {
      entrypoints: Object.keys(entries).map((entry) => entry.replace(/^pulumi-cosi/, ".")),
    });
    assert.ok(found.types !== false, "there are no types");
    assert.deepEqual(found.problems, []);
  });
});
