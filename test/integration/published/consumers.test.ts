import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { runProgram } from "../../support/end-to-end/installed-package";
import { consumerWith, publishedPackage, type Consumer } from "../../support/published/consumer";
import type { ManagerName } from "../../support/published/package-manager";
import {
  mockedProgram,
  mocks,
  moduleSystems,
  printed,
  type ModuleSystem,
} from "../../support/published/programs";

const repository = path.join(__dirname, "..", "..", "..");

type Release = "Node 22" | "Node 24";

/** Each manager with both module systems, each of these with both compilers and both releases of Node. */
const projects: readonly {
  readonly manager: ManagerName;
  readonly typescript: string;
  readonly node: Readonly<Record<ModuleSystem, Release>>;
}[] = [
  { manager: "npm", typescript: "~5.9.3", node: { commonjs: "Node 22", module: "Node 24" } },
  { manager: "pnpm", typescript: "~6.0.3", node: { commonjs: "Node 22", module: "Node 24" } },
  { manager: "yarn classic", typescript: "~6.0.3", node: { commonjs: "Node 24", module: "Node 22" } },
  { manager: "yarn", typescript: "~5.9.3", node: { commonjs: "Node 24", module: "Node 22" } },
];

const page = fs.readFileSync(path.join(repository, "docs", "compatibility.md"), "utf8");

/** What the documentation says that the package works with. */
function documented(name: string): string[] {
  const [, versions = ""] = new RegExp(`^\\| ${name} \\| ([^|]*) \\|`, "mi").exec(page) ?? [];
  return versions.split(", ");
}

for (const { manager, typescript, node } of projects) {
  describe(`the package, installed by ${manager}`, function () {
    this.timeout(600_000);
    let consumer: Consumer;
    let programOf: Readonly<Record<Release, string>>;

    before(async () => {
      consumer = await consumerWith(manager, typescript);
      const { node24 } = (await publishedPackage()).consumers;
      programOf = { "Node 22": process.execPath, "Node 24": path.join(node24, "node") };
    });

    it("is documented to work with it, and with what else is tried here", () => {
      const [name = ""] = manager.split(" ");
      const [major, minor] = consumer.manager.version.split(".");
      // The other npm is that of the machine.
      const version = major === "1" ? `1.${minor ?? ""}` : (major ?? "");
      assert.ok(name === "npm" || documented(name).includes(version), `${manager} ${version}`);
      const compiler = typescript.replace(/^~(\d+\.\d+).*/, "$1");
      assert.ok(documented("TypeScript").includes(compiler), compiler);
      for (const release of Object.values(node)) {
        assert.ok(documented("Node.js").includes(release.replace("Node ", "")), release);
      }
    });

    it("is what the repository has now", () => {
      const built = fs.readFileSync(path.join(repository, "dist", "core.js"), "utf8");
      const found = path.join(consumer.folder, "node_modules", "pulumi-cosi", "dist", "core.js");
      assert.equal(fs.readFileSync(found, "utf8"), built);
    });

    for (const system of moduleSystems) {
      it(`has types for TypeScript ${typescript}, and runs under ${node[system]}, in a program with "type": "${system}"`, async () => {
        const folder = consumer.write(system, system, { "mocks.ts": mocks, "index.ts": mockedProgram });
        const { code, text } = await consumer.compile(system);
        assert.equal(code, 0, text);
        const program = programOf[node[system]];
        const version = await runProgram(program, ["--version"], { cwd: folder });
        assert.equal(version.text.split(".")[0], node[system].replace("Node ", "v"));
        const ended = await runProgram(program, ["out/index.js"], { cwd: folder });
        assert.equal(ended.code, 0, ended.text);
        assert.deepEqual(JSON.parse(ended.stdout), printed);
      });
    }
  });
}
