import assert from "node:assert/strict";
import { readFile, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { providePulumiBin } from "../../../tools/toolchain/pulumi-bin";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the folder of pulumi and its hosts", () => {
  const folder = temporaryFolder();
  const cache = () => join(folder(), "cache");

  beforeEach(async () => {
    await writeFile(join(folder(), "pulumi"), "pulumi", { mode: 0o755 });
    // As npm unpacks it: not executable.
    await writeFile(join(folder(), "host"), "host", { mode: 0o644 });
  });
  const provide = () => providePulumiBin(cache(), [join(folder(), "pulumi"), join(folder(), "host")]);

  it("holds real, executable files", async () => {
    const bin = await provide();
    assert.deepEqual((await readdir(bin)).sort(), ["host", "pulumi"]);
    for (const name of ["host", "pulumi"]) {
      assert.equal(await readFile(join(bin, name), "utf8"), name);
      assert.equal((await stat(join(bin, name))).mode & 0o777, 0o755);
    }
    assert.equal((await stat(join(folder(), "host"))).mode & 0o777, 0o644);
  });

  it("is the same again, also for two at once, until a program is replaced", async () => {
    const [one, other] = await Promise.all([provide(), provide()]);
    assert.equal(one, other);
    await writeFile(join(folder(), "host"), "another host");
    await utimes(join(folder(), "host"), 1, 1);
    const third = await provide();
    assert.notEqual(third, one);
    assert.equal(await readFile(join(third, "host"), "utf8"), "another host");
  });
});
