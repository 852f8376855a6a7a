import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { runProgram, type Tarball } from "../../support/end-to-end/installed-package";
import { consumerWith, publishedPackage, type Consumer } from "../../support/published/consumer";
import { entries } from "../../support/published/programs";

const repository = path.join(__dirname, "..", "..", "..");
const sdk = "@pulumi/pulumi";

/** The API model of each entry that has one. */
const models: readonly string[] = Object.keys(entries)
  .map((entry) => path.posix.basename(entry))
  .filter((name) => name !== "pulumi-cosi" && name !== "core");

describe("the entries of the package, installed from its tarball", function () {
  this.timeout(600_000);
  let folder: string;
  let tarball: Tarball;
  let consumer: Consumer;

  before(async () => {
    consumer = await consumerWith("npm", "~5.9.3");
    folder = consumer.folder;
    tarball = (await publishedPackage()).tarball;
  });

  const run = async (file: string, source: string): Promise<string> => {
    fs.writeFileSync(path.join(folder, file), source);
    const { code, text } = await runProgram(process.execPath, [file], { cwd: folder });
    assert.equal(code, 0, text);
    return text.trim();
  };

  const known = new Map<string, readonly string[]>();

  /** Files that a program loads with an entry, relative to node_modules. */
  const loadedBy = async (entry: string): Promise<readonly string[]> => {
    const found = known.get(entry) ?? (await load(entry));
    known.set(entry, found);
    return found;
  };

  const load = async (entry: string): Promise<string[]> => {
    const script = path.join(repository, "tools", "loaded.mjs");
    const { code, text, stdout } = await runProgram(process.execPath, [script, entry], { cwd: folder });
    assert.equal(code, 0, text);
    const { bytes } = JSON.parse(stdout) as { bytes: Record<string, number> };
    return Object.keys(bytes).map((file) => file.replace(/^.*?\/node_modules\//, ""));
  };

  it("are found by CommonJS and by ECMAScript modules", async () => {
    const all = Object.entries(entries);
    const functions = all.map(() => "function").join("\n");
    const required = all.map(([entry, name]) => `console.log(typeof require("${entry}").${name});`);
    assert.equal(await run("a.cjs", required.join("\n")), functions);
    const imported = all.map(
      ([entry, name], index) =>
        `import { ${name} as C${index} } from "${entry}"; console.log(typeof C${index});`,
    );
    assert.equal(await run("a.mjs", imported.join("\n")), functions);
  });

  it("have types for programs that resolve modules as bundlers do, and as TypeScript did before Node had exports", async () => {
    const source = Object.entries(entries)
      .map(
        ([entry, name], index) =>
          `import { ${name} as C${index} } from "${entry}";\nexport type T${index} = C${index};`,
      )
      .join("\n");
    fs.writeFileSync(path.join(folder, "types.ts"), source);
    const tsc = path.join(folder, "node_modules", ".bin", "tsc");
    for (const [module, resolution] of [
      ["commonjs", "node10"],
      ["esnext", "bundler"],
    ]) {
      const args = ["--noEmit", "--strict", "--target", "es2022", "--skipLibCheck"];
      const modules = ["--module", module ?? "", "--moduleResolution", resolution ?? ""];
      const { code, text } = await runProgram(tsc, [...args, ...modules, "types.ts"], { cwd: folder });
      assert.equal(code, 0, `${resolution ?? ""}: ${text}`);
    }
  });

  it("load of other packages only Pulumi's SDK, and its Kubernetes package where an API model is used", async () => {
    const isOwn = (file: string): boolean => file.startsWith("pulumi-cosi/");
    const ofSdk = new Set(await loadedBy(sdk));
    const ofKubernetes = new Set(await loadedBy("@pulumi/kubernetes"));
    assert.ok(ofSdk.size > 100 && ofKubernetes.size > ofSdk.size);
    for (const entry of Object.keys(entries)) {
      const foreign = (await loadedBy(entry)).filter((file) => !isOwn(file));
      const expected = entry === "pulumi-cosi/core" ? ofSdk : ofKubernetes;
      assert.deepEqual(
        foreign.filter((file) => !expected.has(file)),
        [],
        entry,
      );
    }
  });

  it("load nothing of the drivers, of the command, of the wire, and of another API model", async () => {
    const never =
      /^pulumi-cosi\/dist\/(drivers|conformance|cli|policy|gen|provider\/driver\/(call|connect\/channel|connection))\b/;
    for (const entry of Object.keys(entries)) {
      const loaded = await loadedBy(entry);
      assert.deepEqual(
        loaded.filter((file) => never.test(file)),
        [],
        entry,
      );
      const used = models.filter((model) => loaded.some((file) => file.includes(`/components/${model}/`)));
      const name = path.posix.basename(entry);
      assert.deepEqual(
        used,
        name === "pulumi-cosi" ? models : models.filter((model) => model === name),
        entry,
      );
    }
  });

  it("lead to no package that package.json does not declare, as a strict layout of node_modules wants it", () => {
    const installed = path.join(folder, "node_modules", "pulumi-cosi");
    const manifest = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8")) as Record<
      "dependencies" | "peerDependencies",
      Record<string, string>
    >;
    const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
    const imported = tarball.contents
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .flatMap((file) => importsOf(fs.readFileSync(path.join(installed, file), "utf8")));
    assert.ok(imported.includes("@pulumi/pulumi") && imported.includes("pg"));
    assert.deepEqual([...new Set(imported)].filter((name) => !declared.has(name)).sort(), []);
  });

  it("are measured by the command of the documentation", async () => {
    const args = [path.join("tools", "entries.mjs"), "--runs", "1", "core"];
    const { code, text } = await runProgram(process.execPath, args, { cwd: repository });
    assert.equal(code, 0, text);
    assert.match(text, /^\| `@pulumi\/pulumi` \| \d+ \| 0 \| 0 \| \d+ \|/m);
    assert.match(text, /^\| `pulumi-cosi\/core` \| \d+ \| [1-9]\d \| \d+ \| \d+ \|/m);
  });

  it("are as those who publish packages want them (publint, are the types wrong)", async () => {
    const installed = path.join(folder, "node_modules", "pulumi-cosi");
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false });
    assert.deepEqual(
      messages.filter(({ type }) => type !== "suggestion").map((message) => formatMessage(message, pkg)),
      [],
    );
    const { checkPackage, createPackageFromTarballData } = await import("@arethetypeswrong/core");
    const found = await checkPackage(createPackageFromTarballData(fs.readFileSync(tarball.file)), {
      entrypoints: [...Object.keys(entries), "pulumi-cosi/policy"].map((entry) =>
        entry.replace(/^pulumi-cosi/, "."),
      ),
    });
    assert.ok(found.types !== false, "there are no types");
    assert.deepEqual(found.problems, []);
  });
});

/** Names of the packages that a file loads or takes types from, without Node's own and without this one. */
function importsOf(text: string): string[] {
  const specifiers = [...text.matchAll(/(?:require\(|import\(|from )"([^".][^"$]*)"/g)];
  return specifiers
    .map(([, specifier = ""]) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "")
    .filter((name) => !name.startsWith("node:") && name !== "pulumi-cosi");
}
