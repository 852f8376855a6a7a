import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { runProgram } from "../../support/end-to-end/installed-package";
import { WatchedDriver } from "../../support/end-to-end/watched-driver";
import { consumerWith, publishedPackage, type Consumer } from "../../support/published/consumer";
import type { ManagerName } from "../../support/published/package-manager";
import { ProjectStack } from "../../support/published/project-stack";
import {
  mockedProgram,
  mocks,
  moduleSystems,
  printed,
  programAt,
  type ModuleSystem,
} from "../../support/published/programs";

const repository = path.join(__dirname, "..", "..", "..");

type Release = "Node 22" | "Node 24";

/**
 * Each manager with both module systems, each of these with both compilers and both releases of Node; and one of them
 * with Pulumi, which runs what the project compiled, or compiles itself.
 */
const projects: readonly {
  readonly manager: ManagerName;
  readonly typescript: string;
  readonly node: Readonly<Record<ModuleSystem, Release>>;
  readonly up: { readonly system: ModuleSystem; readonly main: "index.ts" | "out/index.js" };
}[] = [
  {
    manager: "npm",
    typescript: "~5.9.3",
    node: { commonjs: "Node 22", module: "Node 24" },
    up: { system: "commonjs", main: "index.ts" },
  },
  {
    manager: "pnpm",
    typescript: "~6.0.3",
    node: { commonjs: "Node 22", module: "Node 24" },
    up: { system: "module", main: "out/index.js" },
  },
  {
    manager: "yarn classic",
    typescript: "~6.0.3",
    node: { commonjs: "Node 24", module: "Node 22" },
    up: { system: "module", main: "index.ts" },
  },
  {
    manager: "yarn",
    typescript: "~5.9.3",
    node: { commonjs: "Node 24", module: "Node 22" },
    up: { system: "commonjs", main: "index.ts" },
  },
];

const page = fs.readFileSync(path.join(repository, "docs", "compatibility.md"), "utf8");

/** What the documentation says that the package works with. */
function documented(name: string): string[] {
  const [, versions = ""] = new RegExp(`^\\| ${name} \\| ([^|]*) \\|`, "mi").exec(page) ?? [];
  return versions.split(", ");
}

/** @param version As Node tells it: `v22.1.0`. */
function releaseOf(version: string): string {
  return version.replace(/^v(\d+)\..*/s, "Node $1");
}

for (const { manager, typescript, node, up } of projects) {
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
        // The layout of pnpm is the strictest: the types of others are found in it only where they are declared. Once
        // is enough, as it takes long.
        const skipLibCheck = manager !== "pnpm" || system !== "module";
        const files = { "mocks.ts": mocks, "index.ts": mockedProgram };
        const folder = consumer.write(system, { system, skipLibCheck, files });
        const { code, text } = await consumer.compile(system);
        assert.equal(code, 0, text);
        const program = programOf[node[system]];
        const version = await runProgram(program, ["--version"], { cwd: folder });
        assert.equal(releaseOf(version.text), node[system]);
        const ended = await runProgram(program, ["out/index.js"], { cwd: folder });
        assert.equal(ended.code, 0, ended.text);
        assert.deepEqual(JSON.parse(ended.stdout), printed);
      });
    }

    describe(`in a program with "type": "${up.system}" of which pulumi runs ${up.main} under ${node[up.system]}`, () => {
      let driver: WatchedDriver;
      let stack: ProjectStack | undefined;

      before(async () => {
        driver = await new WatchedDriver().start();
      });
      after(async () => {
        driver.fake.stop();
        await stack?.remove();
      });

      it("makes a bucket and an account, finds nothing to change, and deletes both", async () => {
        const files = { "index.ts": programAt(driver.fake.endpoint) };
        const folder = consumer.write("up", { ...up, files });
        if (up.main !== "index.ts") {
          const { code, text } = await consumer.compile("up");
          assert.equal(code, 0, text);
        }
        stack = await ProjectStack.at(folder, path.dirname(programOf[node[up.system]]));
        await stack.up();
        const { version, bucket, account } = await stack.outputs();
        assert.equal(releaseOf(String(version)), node[up.system]);
        await stack.succeed(["preview", "--expect-no-changes"]);
        await stack.destroy();
        const calls = [
          `create ${String(bucket)}`,
          `grant ${String(bucket)} ${String(account)}`,
          `revoke ${String(bucket)} ${String(account)}`,
          `delete ${String(bucket)}`,
        ];
        assert.deepEqual(
          driver.events,
          calls.flatMap((call) => [`received ${call}`, `answered ${call}`]),
        );
      });
    });
  });
}
