import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, readdir, stat, symlink, writeFile, mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { cacheSource } from "../../../tools/toolchain/cache-source";
import { goBuildSource } from "../../../tools/toolchain/go-build-source";
import { provideFrom } from "../../../tools/toolchain/provide-tool";
import { ReleaseCache } from "../../../tools/toolchain/release/release-cache";
import type { Release } from "../../../tools/toolchain/release/release";
import { ToolCache } from "../../../tools/toolchain/tool-cache";
import type { Answer } from "../../../tools/toolchain/tool-source";
import {
  checksumLine,
  fakeProgram,
  fakeRelease,
  packed,
  partialSize,
  PATH_IN_ARCHIVE,
  publish,
  sha256,
  sourceUnderTest,
  tarGz,
  toolWith,
} from "../fixtures/fake-release";
import { fakeTool, writeFakeGo, writeFakeModule } from "../fixtures/fake-tool";
import { answer, cutOff, runningServer } from "../fixtures/release-server";
import { temporaryFolder } from "../fixtures/temporary-folder";
import { zipFile } from "../fixtures/zip-file";

const ARCHIVE = "/fake/v1.2.3/fake.tar.gz";
const SUMS = "/fake/v1.2.3/SHA256SUMS";

describe("a tool that is taken from its release", () => {
  const folder = temporaryFolder();
  const server = runningServer();
  const cache = () => join(folder(), "cache");
  const reasonOf = (answer: Answer): string => {
    assert.equal(answer.path, undefined);
    return answer.reason;
  };
  const leftInCache = () => readdir(join(cache(), "releases")).catch(() => []);

  const formats: readonly Release["format"][] = ["tar.gz", "zip", "program"];
  for (const format of formats) {
    it(`is complete, executable and tells its version, from a release as ${format}`, async function () {
      if (format === "zip" && !(await isThere("unzip"))) this.skip();
      const program = fakeProgram();
      const { tool } = await publish(server(), { format, program });
      const answer = await sourceUnderTest(cache()).find(tool);
      assert.ok(answer.path !== undefined);
      assert.equal(answer.version, "1.2.3");
      assert.deepEqual(await readFile(answer.path), program);
      assert.equal((await stat(answer.path)).mode & 0o777, 0o755);
      // No download, no rest of an archive.
      const [entry, ...others] = await leftInCache();
      assert.deepEqual(
        others.filter((name) => !name.includes(".lock.past-")),
        [],
      );
      assert.deepEqual(await readdir(join(cache(), "releases", entry ?? "")), [fakeTool.name]);
    });
  }

  it("is found in the cache from then on, and before one that was built", async () => {
    const { tool } = await publish(server());
    const { path } = await sourceUnderTest(cache()).find(tool);
    const built = new ToolCache(cache(), join(folder(), "modules"));
    await built.add(
      tool,
      (made) => writeFile(join(made, tool.name), "built"),
      () => undefined,
    );
    const source = cacheSource(built, new ReleaseCache(cache()));
    assert.deepEqual(await source.find(tool, () => undefined), { path, version: "1.2.3" });
    assert.equal(server().seen(ARCHIVE).length, 1);
  });

  it("comes with the other programs of the same archive, which is downloaded once", async () => {
    const release: Release = {
      ...fakeRelease(`${server().url}/fake/v1.2.3`),
      programs: { [fakeTool.name]: PATH_IN_ARCHIVE, host: "fake-v1.2.3/host" },
    };
    const archive = await tarGz({
      [PATH_IN_ARCHIVE]: fakeProgram(),
      "fake-v1.2.3/host": Buffer.from("host"),
    });
    server().files.set(ARCHIVE, archive);
    server().files.set(SUMS, checksumLine("fake.tar.gz", archive));
    const { find } = sourceUnderTest(cache());
    const owner = await find(toolWith(release));
    const host = await find({ ...toolWith(release), name: "host" });
    assert.ok(owner.path !== undefined && host.path !== undefined);
    assert.equal(await readFile(host.path, "utf8"), "host");
    assert.equal(server().seen(ARCHIVE).length, 1);
  });

  it("is not taken with a wrong sum: both sums and the address are told, and the file is removed", async () => {
    const { tool, file } = await publish(server());
    const damaged = Buffer.from(file);
    damaged.writeUInt8(damaged.readUInt8(1000) ^ 1, 1000);
    server().files.set(ARCHIVE, damaged);
    const { find, said } = sourceUnderTest(cache());
    const answer = await find(tool);
    assert.equal(
      reasonOf(answer),
      `${server().url}${ARCHIVE} is damaged: its sha256 sum is ${sha256(damaged)}, but the release says ${sha256(file)}`,
    );
    assert.match(said.join("\n"), /no release of cosi-fake-tool 1\.2\.3: .* is damaged/);
    assert.deepEqual(
      (await leftInCache()).filter((name) => !name.includes(".lock.past-")),
      [],
    );
    assert.equal(server().seen(ARCHIVE).length, 1);
  });

  it("is not downloaded when the checksum file has no line for it", async () => {
    const { tool, file } = await publish(server());
    for (const text of [
      `${sha256(file)}  another.tar.gz\n`,
      "<html>please log in</html>",
      `${"0".repeat(32)}  fake.tar.gz`,
    ]) {
      server().files.set(SUMS, Buffer.from(text));
      const reason = reasonOf(await sourceUnderTest(cache()).find(tool));
      assert.equal(reason, `${server().url}${SUMS} has no sha256 sum of fake.tar.gz`);
    }
    assert.equal(server().seen(ARCHIVE).length, 0);
  });

  it("is not taken when it is of another version, or does not run", async () => {
    const other = await publish(server(), { program: fakeProgram("1.2.4") });
    const url = `${server().url}${ARCHIVE}`;
    const { find } = sourceUnderTest(cache());
    assert.equal(reasonOf(await find(other.tool)), `cosi-fake-tool of ${url} is 1.2.4, not 1.2.3`);
    const broken = await publish(server(), { program: Buffer.from("#!/bin/sh\nexit 1\n") });
    assert.equal(reasonOf(await find(broken.tool)), `cosi-fake-tool of ${url} does not run here`);
    assert.deepEqual(
      (await leftInCache()).filter((name) => !name.includes(".lock.past-")),
      [],
    );
  });

  it("writes nothing outside of the cache, whatever paths are in the archive", async () => {
    const evil = join(folder(), "evil");
    const tar = await tarGz({ "../../../../evil": Buffer.from("evil"), [PATH_IN_ARCHIVE]: fakeProgram() }, [
      "-P",
    ]);
    const zip = zipFile({ "../../../../evil": Buffer.from("evil"), [PATH_IN_ARCHIVE]: fakeProgram() });
    const unzips = await isThere("unzip");
    for (const format of unzips ? (["tar.gz", "zip"] as const) : (["tar.gz"] as const)) {
      const archive = format === "zip" ? zip : tar;
      const { tool } = await publish(server(), { format });
      server().files.set(`/fake/v1.2.3/fake.${format}`, archive);
      server().files.set(SUMS, checksumLine(`fake.${format}`, archive));
      const answer = await sourceUnderTest(cache()).find(tool);
      assert.ok(answer.path !== undefined);
      await assert.rejects(stat(evil), { code: "ENOENT" });
    }
  });

  it("is not taken when the program is a link, or is not in the archive", async () => {
    const { tool } = await publish(server());
    const linked = join(folder(), "linked");
    await mkdir(join(linked, "fake-v1.2.3"), { recursive: true });
    await symlink("/bin/sh", join(linked, PATH_IN_ARCHIVE));
    await promisify(execFile)("tar", ["-czf", join(folder(), "linked.tar.gz"), "-C", linked, "fake-v1.2.3"]);
    const cases: readonly [Buffer, RegExp][] = [
      [
        await readFile(join(folder(), "linked.tar.gz")),
        /fake-v1\.2\.3\/cosi-fake-tool in the archive is not a file/,
      ],
      [
        await tarGz({ "fake-v1.2.3/other": Buffer.from("other") }),
        /tar cannot unpack it: .*Not found in archive/,
      ],
      [Buffer.from("no archive at all"), /tar cannot unpack it: /],
    ];
    for (const [archive, reason] of cases) {
      server().files.set(ARCHIVE, archive);
      server().files.set(SUMS, checksumLine("fake.tar.gz", archive));
      assert.match(reasonOf(await sourceUnderTest(cache()).find(tool)), reason);
    }
  });

  it("is built with Go instead when it cannot be had, and the reason is told", async () => {
    await writeFakeModule(join(folder(), "modules"));
    const build = 'printf "#!/bin/sh\\n" > "$out"; chmod +x "$out"';
    await writeFakeGo(join(folder(), "bin"), build);
    const { tool } = await publish(server());
    server().files.delete(ARCHIVE);
    const built = new ToolCache(cache(), join(folder(), "modules"));
    const { source } = sourceUnderTest(cache());
    const said: string[] = [];
    const environment = {
      ...process.env,
      PATH: [join(folder(), "bin"), process.env["PATH"]].join(delimiter),
    };
    const sources = [
      cacheSource(built, new ReleaseCache(cache())),
      source,
      goBuildSource(built, environment),
    ];
    const provided = await provideFrom(sources, tool, (line) => said.push(line));
    assert.equal(provided.source, "built");
    assert.equal(
      said[0],
      `no release of cosi-fake-tool 1.2.3: ${server().url}${ARCHIVE} answers 404 Not Found`,
    );
    assert.match(said[1] ?? "", /^building cosi-fake-tool 1\.2\.3 from its Go module/);
  });

  it("has none where nobody publishes one", async () => {
    const { find, said } = sourceUnderTest(cache());
    assert.deepEqual(await find(fakeTool), { reason: "nobody publishes it" });
    assert.deepEqual(said, []);
  });

  describe("under a mirror", () => {
    const upstream = "https://releases.example.test/fake/v1.2.3";
    const under = "releases.example.test/fake/v1.2.3";
    const mirrored = (mirror: string, offline = "") =>
      sourceUnderTest(cache(), { PULUMI_COSI_TOOLS_MIRROR: mirror, PULUMI_COSI_TOOLS_OFFLINE: offline });

    it("is found by the host and the path of its upstream address", async () => {
      const file = await packed("tar.gz", fakeProgram());
      server().files.set(`/tools/${under}/fake.tar.gz`, file);
      server().files.set(`/tools/${under}/SHA256SUMS`, checksumLine("fake.tar.gz", file));
      for (const mirror of [`${server().url}/tools`, `${server().url}/tools/`]) {
        const answer = await mirrored(mirror).find(toolWith(fakeRelease(upstream)));
        assert.ok(answer.path !== undefined);
      }
    });

    it("does not go on with what another mirror has begun", async () => {
      const file = await packed("tar.gz", fakeProgram());
      for (const mirror of ["one", "two"]) {
        server().files.set(`/${mirror}/${under}/fake.tar.gz`, file);
        server().files.set(`/${mirror}/${under}/SHA256SUMS`, checksumLine("fake.tar.gz", file));
      }
      const [one, two] = ["one", "two"].map((mirror) => `/${mirror}/${under}/fake.tar.gz`);
      assert.ok(one !== undefined && two !== undefined);
      server().fail(
        one,
        cutOff(50_000, () => partialSize(cache())),
        answer(403),
      );
      assert.match(
        reasonOf(await mirrored(`${server().url}/one`).find(toolWith(fakeRelease(upstream)))),
        /403/,
      );
      const found = await mirrored(`${server().url}/two`).find(toolWith(fakeRelease(upstream)));
      assert.ok(found.path !== undefined);
      assert.equal(server().seen(two)[0]?.headers.range, undefined);
    });

    it("is found in a folder, also when downloads are turned off, and is checked there, too", async () => {
      const mirror = join(folder(), "a mirror");
      await mkdir(join(mirror, under), { recursive: true });
      const file = await packed("tar.gz", fakeProgram());
      const url = `file://${mirror.replace(" ", "%20")}`;
      await writeFile(join(mirror, under, "fake.tar.gz"), file);
      const missing = await mirrored(url, "1").find(toolWith(fakeRelease(upstream)));
      assert.match(
        reasonOf(missing),
        /ENOENT.*a mirror\/releases\.example\.test\/fake\/v1\.2\.3\/SHA256SUMS/,
      );
      await writeFile(join(mirror, under, "SHA256SUMS"), checksumLine("fake.tar.gz", Buffer.from("other")));
      assert.match(reasonOf(await mirrored(url, "1").find(toolWith(fakeRelease(upstream)))), /is damaged/);
      await writeFile(join(mirror, under, "SHA256SUMS"), checksumLine("fake.tar.gz", file));
      const answer = await mirrored(url, "1").find(toolWith(fakeRelease(upstream)));
      assert.ok(answer.path !== undefined);
      assert.deepEqual(await readFile(join(mirror, under, "fake.tar.gz")), file);
    });

    it("is not looked for when the mirror is no address, which is told with its value", async () => {
      const answer = await mirrored("mirror.example.com:tools").find(toolWith(fakeRelease(upstream)));
      assert.equal(
        reasonOf(answer),
        'PULUMI_COSI_TOOLS_MIRROR is "mirror.example.com:tools", which is no URL of http, https or file',
      );
    });
  });

  it("is not downloaded when downloads are turned off", async () => {
    const { tool } = await publish(server());
    const { find } = sourceUnderTest(cache(), { PULUMI_COSI_TOOLS_OFFLINE: "1" });
    assert.equal(reasonOf(await find(tool)), "PULUMI_COSI_TOOLS_OFFLINE turns downloads off");
    assert.deepEqual(server().requests, []);
  });
});

async function isThere(command: string): Promise<boolean> {
  return promisify(execFile)(command, ["-v"]).then(
    () => true,
    () => false,
  );
}
