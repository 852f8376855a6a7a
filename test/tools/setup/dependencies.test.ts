import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { installDependencies } from "../../../tools/setup/dependencies.mjs";
import { temporaryFolder } from "../fixtures/temporary-folder";

const LOCK = {
  packages: {
    "": { name: "root" },
    "node_modules/node": { version: "22.0.0", integrity: "sha512-a" },
    "node_modules/elsewhere": { version: "1.0.0", integrity: "sha512-b", optional: true },
  },
};

describe("the installation of the dependencies", () => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const install = () => installDependencies(folder(), (text) => said.push(text));
  const calls = async () =>
    (await readFile(join(folder(), "calls"), "utf8").catch(() => "")).split("\n").length - 1;
  let npm: string | undefined;

  /** An npm that notes each call and leaves what a real one does. */
  const writeNpm = (end = "") =>
    writeFile(
      join(folder(), "npm.js"),
      `const { appendFileSync, mkdirSync } = require("node:fs");
       appendFileSync("calls", process.argv.slice(2).join(" ") + "\\n");
       mkdirSync("node_modules/node/bin", { recursive: true });
       ${end}`,
    );

  beforeEach(async () => {
    said.length = 0;
    npm = process.env["npm_execpath"];
    process.env["npm_execpath"] = join(folder(), "npm.js");
    await writeNpm();
    await writeFile(join(folder(), "package.json"), "{}");
    await writeFile(join(folder(), "package-lock.json"), JSON.stringify(LOCK));
  });
  afterEach(() => {
    if (npm === undefined) Reflect.deleteProperty(process.env, "npm_execpath");
    else process.env["npm_execpath"] = npm;
  });

  it("runs npm ci once", async () => {
    assert.equal(await install(), "installed");
    assert.equal(await install(), "up to date");
    assert.equal(await calls(), 1);
    assert.match(await readFile(join(folder(), "calls"), "utf8"), /^ci /);
  });

  it("runs npm ci again when the lock changed or node_modules was removed", async () => {
    await install();
    await writeFile(
      join(folder(), "package-lock.json"),
      JSON.stringify({ packages: { "": { name: "other" } } }),
    );
    assert.equal(await install(), "installed");
    await rm(join(folder(), "node_modules"), { recursive: true });
    assert.equal(await install(), "installed");
    assert.equal(await calls(), 3);
  });

  it("is done by one of two runs at once", async () => {
    const [one, other] = await Promise.all([install(), install()]);
    assert.deepEqual([one, other].sort(), ["installed", "up to date"]);
    assert.equal(await calls(), 1);
  });

  it("takes what the user has installed with npm", async () => {
    const { "node_modules/node": node } = LOCK.packages;
    await mkdir(join(folder(), "node_modules", "node", "bin"), { recursive: true });
    await writeFile(join(folder(), "node_modules", "node", "bin", "node"), "");
    const record = { packages: { "node_modules/node": node } };
    await writeFile(join(folder(), "node_modules", ".package-lock.json"), JSON.stringify(record));
    assert.equal(await install(), "up to date");
    assert.equal(await calls(), 0);
  });

  it("does not take another version that the user has installed", async () => {
    await mkdir(join(folder(), "node_modules", "node", "bin"), { recursive: true });
    await writeFile(join(folder(), "node_modules", "node", "bin", "node"), "");
    const record = { packages: { "node_modules/node": { version: "21.0.0", integrity: "sha512-c" } } };
    await writeFile(join(folder(), "node_modules", ".package-lock.json"), JSON.stringify(record));
    assert.equal(await install(), "installed");
  });

  it("shows the end of npm's output when it fails, and tries again the next time", async () => {
    await writeNpm("console.error('npm error: the disk is full'); process.exit(7)");
    await assert.rejects(install(), /npm ci failed \(exit code 7\)[^]*the disk is full/);
    await writeNpm();
    assert.equal(await install(), "installed");
  });
});
