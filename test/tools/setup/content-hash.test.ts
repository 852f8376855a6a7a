import assert from "node:assert/strict";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { contentHash } from "../../../tools/setup/content-hash.mjs";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the hash that tells whether sources changed", () => {
  const folder = temporaryFolder();
  const hash = () => contentHash(folder(), ["a", "b.txt", "absent"]);

  beforeEach(async () => {
    await mkdir(join(folder(), "a", "deep"), { recursive: true });
    await writeFile(join(folder(), "a", "deep", "one.txt"), "1");
    await writeFile(join(folder(), "b.txt"), "b");
  });

  it("stays when only times change and when something else is added", async () => {
    const before = await hash();
    await utimes(join(folder(), "b.txt"), 1, 1);
    await writeFile(join(folder(), "other.txt"), "x");
    await mkdir(join(folder(), "a", "node_modules"));
    await writeFile(join(folder(), "a", "node_modules", "x.txt"), "x");
    assert.equal(await hash(), before);
  });

  const changes: Record<string, () => Promise<void>> = {
    "a content": () => writeFile(join(folder(), "a", "deep", "one.txt"), "2"),
    "a name": () => rename(join(folder(), "a", "deep", "one.txt"), join(folder(), "a", "deep", "two.txt")),
    "a new file": () => writeFile(join(folder(), "a", "new.txt"), ""),
    "a removed file": () => rm(join(folder(), "b.txt")),
    "a file that was absent": () => writeFile(join(folder(), "absent"), ""),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`changes with ${what}`, async () => {
      const before = await hash();
      await change();
      assert.notEqual(await hash(), before);
    });
  }

  it("changes with the salt", async () => {
    assert.notEqual(await contentHash(folder(), ["a"], ["x"]), await contentHash(folder(), ["a"], ["y"]));
  });
});
