import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { identityOf } from "../../../tools/setup/process-identity.mjs";
import { cacheSource } from "../../../tools/toolchain/cache-source";
import { goBuildSource } from "../../../tools/toolchain/go-build-source";
import { provideFrom } from "../../../tools/toolchain/provide-tool";
import { ReleaseCache } from "../../../tools/toolchain/release/release-cache";
import { releaseSource } from "../../../tools/toolchain/release-source";
import { ToolCache } from "../../../tools/toolchain/tool-cache";
import { userSource } from "../../../tools/toolchain/user-source";
import { fakeTool, writeFakeGo, writeFakeModule } from "../fixtures/fake-tool";
import { startFixture, type Fixture } from "../fixtures/start-fixture";
import { temporaryFolder } from "../fixtures/temporary-folder";

const BUILD = 'printf "#!/bin/sh\\necho complete\\n" > "$out"; chmod +x "$out"';

describe("a tool that is built with Go", () => {
  const folder = temporaryFolder();
  const modules = () => join(folder(), "modules");
  const cache = () => join(folder(), "cache");
  const bin = () => join(folder(), "bin");

  /** Looks in the cache, then builds, in a process of its own; its ledger is in the test's folder too. */
  const start = (): Fixture =>
    startFixture("go-builder.ts", [cache(), modules()], {
      PATH: [bin(), process.env["PATH"]].join(delimiter),
      PULUMI_COSI_CACHE: cache(),
    });
  const calls = async () =>
    (await readFile(join(bin(), "calls"), "utf8").catch(() => "")).split("\n").length - 1;
  const resultOf = async (fixture: Fixture): Promise<unknown> =>
    JSON.parse((await fixture.ended).output.at(-1) ?? "null");
  const pathInCache = () => new ToolCache(cache(), modules()).pathOf(fakeTool);

  beforeEach(() => writeFakeModule(modules()));

  it("is built once and found in the cache from then on", async () => {
    await writeFakeGo(bin(), BUILD);
    const path = await pathInCache();
    assert.deepEqual(await resultOf(start()), { path, source: "built" });
    assert.deepEqual(await resultOf(start()), { path, source: "cache" });
    assert.equal(await calls(), 1);
    assert.equal((await stat(path)).mode & 0o777, 0o755);
  });

  it("is built anew when the pinned module changes, beside the old one", async () => {
    await writeFakeGo(bin(), BUILD);
    const before = await pathInCache();
    await start().ended;
    await writeFakeModule(modules(), "another sum");
    assert.notEqual(await pathInCache(), before);
    assert.deepEqual(await resultOf(start()), { path: await pathInCache(), source: "built" });
    await stat(before);
  });

  it("is built by one of two runs at once, and the other waits for it", async () => {
    await writeFakeGo(bin(), `sleep 5; ${BUILD}`);
    const path = await pathInCache();
    const [one, other] = [start(), start()];
    const ends = await Promise.all([one.ended, other.ended]);
    assert.equal(await calls(), 1);
    for (const { output } of ends) assert.match(output.at(-1) ?? "", new RegExp(path));
    const waits = ends
      .flatMap(({ output }) => output)
      .filter((line) => line.includes("waiting for another run"));
    assert.equal(waits.length, 1);
  });

  it("is never used half built: after a kill the next run ends the build and builds again", async () => {
    await writeFakeGo(bin(), `echo half > "$out"; chmod +x "$out"; echo $$ > "${folder()}/pid"; sleep 600`);
    const killed = start();
    while ((await readFile(join(folder(), "pid"), "utf8").catch(() => "")) === "") await sleep(20);
    killed.process.kill("SIGKILL");
    await killed.ended;
    const path = await pathInCache();
    await assert.rejects(stat(path), { code: "ENOENT" });

    const orphan = Number(await readFile(join(folder(), "pid"), "utf8"));
    assert.notEqual(identityOf(orphan), undefined);
    await writeFakeGo(bin(), BUILD);
    assert.deepEqual(await resultOf(start()), { path, source: "built" });
    assert.match(await readFile(path, "utf8"), /complete/);
    assert.equal(identityOf(orphan), undefined);
    const left = await readdir(join(path, "..", ".."));
    assert.deepEqual(
      left.filter((name) => name.endsWith(".partial")),
      [],
    );
  });

  it("is ended with its build by a signal, and leaves nothing", async () => {
    await writeFakeGo(bin(), `echo half > "$out"; echo $$ > "${folder()}/pid"; sleep 600`);
    const run = start();
    while ((await readFile(join(folder(), "pid"), "utf8").catch(() => "")) === "") await sleep(20);
    run.process.kill("SIGTERM");
    assert.equal((await run.ended).code, 143);
    const build = Number(await readFile(join(folder(), "pid"), "utf8"));
    assert.equal(identityOf(build), undefined);
  });

  describe("and cannot be had", () => {
    const provide = () => {
      const tools = new ToolCache(cache(), modules());
      const releases = new ReleaseCache(cache());
      const environment = { PATH: [bin(), "/usr/bin", "/bin"].join(delimiter) };
      const sources = [
        userSource(environment),
        cacheSource(tools, releases),
        releaseSource(releases, { environment }),
        goBuildSource(tools, environment),
      ];
      return provideFrom(sources, fakeTool, () => undefined);
    };

    it("shows what Go said when the build fails", async () => {
      await writeFakeGo(bin(), "echo 'module lookup disabled' >&2; exit 4");
      await assert.rejects(provide(), (error) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, /^cosi-fake-tool 1\.2\.3 cannot be had\. Tried, in this order:/);
        assert.match(error.message, /- what you have: cosi-fake-tool is not on your PATH/);
        assert.match(error.message, /- the cache folder .*: not there yet/);
        assert.match(error.message, /- the official release download: nobody publishes it/);
        assert.match(error.message, /go build failed \(exit code 4\):\n +module lookup disabled/);
        assert.match(error.message, /- put cosi-fake-tool 1\.2\.0 or later on your PATH/);
        return true;
      });
    });

    it("says that Go is missing and where to get it", async () => {
      const tools = new ToolCache(cache(), modules());
      const answer = await goBuildSource(tools, { PATH: join(folder(), "empty") }).find(
        fakeTool,
        () => undefined,
      );
      assert.deepEqual(answer, {
        reason: "go is not on your PATH",
        remedy: "install Go 1.21 or later from https://go.dev/dl/ and run the same command again",
      });
    });
  });
});
