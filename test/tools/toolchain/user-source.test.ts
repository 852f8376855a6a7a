import assert from "node:assert/strict";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Tool } from "../../../tools/toolchain/tool";
import { isOlder, userSource } from "../../../tools/toolchain/user-source";
import { fakeTool, writeProgram } from "../fixtures/fake-tool";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the tools that the user has", () => {
  const folder = temporaryFolder();
  const find = (tool: Tool, environment: NodeJS.ProcessEnv) =>
    userSource({ PATH: folder(), ...environment }).find(tool, () => undefined);

  it("are taken from PATH when they are new enough", async () => {
    const path = await writeProgram(folder(), "1.10.0");
    assert.deepEqual(await find(fakeTool, {}), { path, version: "1.10.0" });
  });

  it("are not taken when they are too old, and the version is told", async () => {
    const path = await writeProgram(folder(), "1.1.9");
    assert.deepEqual(await find(fakeTool, {}), {
      reason: `${path} is 1.1.9, older than 1.2.0`,
      remedy: "put cosi-fake-tool 1.2.0 or later on your PATH",
    });
  });

  it("are not looked for when the tool is a program of this repository", async () => {
    await writeProgram(folder(), "1.10.0");
    assert.deepEqual(await find({ ...fakeTool, user: { kind: "own" } }, {}), {
      reason: "cosi-fake-tool is a program of this repository",
    });
  });

  it("are passed over when they do not tell a version", async () => {
    await writeFile(join(folder(), fakeTool.name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const answer = await find(fakeTool, {});
    assert.match(
      answer.path === undefined ? answer.reason : "",
      /does not tell its version with "--version"/,
    );
  });

  it("are passed over when they cannot be run", async () => {
    await chmod(await writeProgram(folder(), "1.10.0"), 0o644);
    const answer = await find(fakeTool, {});
    assert.equal(answer.path === undefined && answer.reason, "cosi-fake-tool is not on your PATH");
  });

  it("come from the folder of the environment variable before PATH", async () => {
    await writeProgram(folder(), "1.10.0");
    await mkdir(join(folder(), "assets"));
    const path = await writeProgram(join(folder(), "assets"), "1.5.0");
    const answer = await find(fakeTool, { COSI_FAKE_ASSETS: join(folder(), "assets") });
    assert.deepEqual(answer, { path, version: "1.5.0" });
  });

  it("are found beside the real place of the tool that they are released with", async () => {
    assert.ok(fakeTool.user.kind === "path");
    const host: Tool = {
      ...fakeTool,
      name: "host",
      user: { kind: "beside", tool: fakeTool.name, place: fakeTool.user },
    };
    await mkdir(join(folder(), "real"));
    await symlink(await writeProgram(join(folder(), "real"), "1.10.0"), join(folder(), fakeTool.name));
    const missing = await find(host, {});
    assert.equal(missing.path, undefined);
    await writeFile(join(folder(), "real", "host"), "", { mode: 0o755 });
    const answer = await find(host, {});
    assert.match(answer.path ?? "", /real\/host$/);
  });

  it("are found among Pulumi's plugins in exactly the version that is wanted", async () => {
    const plugin: Tool = { ...fakeTool, user: { kind: "pulumi-plugin", plugin: "fake" } };
    const other = join(folder(), "plugins", "resource-fake-v1.2.4");
    await mkdir(other, { recursive: true });
    await writeProgram(other, "1.2.4");
    assert.equal((await find(plugin, { PULUMI_HOME: folder() })).path, undefined);
    const exact = join(folder(), "plugins", "resource-fake-v1.2.3");
    await mkdir(exact, { recursive: true });
    const path = await writeProgram(exact, "1.2.3");
    assert.deepEqual(await find(plugin, { PULUMI_HOME: folder() }), { path, version: "1.2.3" });
  });

  it("have versions that are compared number by number", () => {
    assert.ok(isOlder("3.9.0", "3.10.0"));
    assert.ok(!isOlder("3.10.0", "3.9.0"));
    assert.ok(!isOlder("4.53", "4.53"));
    assert.ok(isOlder("1.30.14", "1.31.0"));
  });
});
