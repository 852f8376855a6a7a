import assert from "node:assert/strict";
import { mkdir, readFile, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { withLock } from "../../../tools/setup/lock.mjs";
import { ownIdentity } from "../../../tools/setup/process-identity.mjs";
import { startFixture } from "../fixtures/start-fixture";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the lock of the set-up", () => {
  const folder = temporaryFolder();

  it("lets one process at a time do its work", async () => {
    const lock = join(folder(), "lock");
    const journal = join(folder(), "journal");
    const fixtures = [1, 2, 3, 4].map(() => startFixture("in-lock.ts", [lock, journal, "150"]));
    const ends = await Promise.all(fixtures.map((fixture) => fixture.ended));
    assert.deepEqual(
      ends.map((end) => end.code),
      [0, 0, 0, 0],
    );
    const lines = (await readFile(journal, "utf8")).trim().split("\n");
    assert.equal(lines.length, 8);
    for (let index = 0; index < lines.length; index += 2) {
      assert.equal(lines[index + 1], lines[index]?.replace("in", "out"), lines.join(" | "));
    }
  });

  it("lets one caller at a time of the same process do its work", async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(5);
      inside -= 1;
    };
    const lock = join(folder(), "lock");
    await Promise.all([1, 2, 3, 4, 5].map(() => withLock(lock, work)));
    assert.equal(most, 1);
  });

  it("is taken over from an owner that was killed", async () => {
    const lock = join(folder(), "lock");
    const journal = join(folder(), "journal");
    const owner = startFixture("in-lock.ts", [lock, journal, "600000"]);
    while (!(await readFile(journal, "utf8").catch(() => "")).startsWith("in")) await sleep(20);
    owner.process.kill("SIGKILL");
    await owner.ended;
    assert.equal(await withLock(lock, () => Promise.resolve("mine")), "mine");
  });

  it("is not held by a process that got the pid of its owner", async () => {
    const lock = join(folder(), "lock");
    await mkdir(lock);
    const recycled = { ...ownIdentity(), started: "1", id: "past" };
    await writeFile(join(lock, "owner.json"), JSON.stringify(recycled));
    assert.equal(await withLock(lock, () => Promise.resolve("mine")), "mine");
  });

  it("is held by an owner on another machine until that no longer renews it", async () => {
    const lock = join(folder(), "lock");
    await mkdir(lock);
    await writeFile(
      join(lock, "owner.json"),
      JSON.stringify({ pid: 7, started: "1", host: "elsewhere", id: "x" }),
    );
    let waiting: Promise<string> | undefined;
    const pid = await new Promise((resolve) => {
      waiting = withLock(lock, () => Promise.resolve("mine"), { onWait: resolve });
    });
    assert.equal(pid, 7);
    await utimes(join(lock, "owner.json"), 1, 1);
    assert.equal(await waiting, "mine");
  });

  it("is given up when the work fails", async () => {
    const lock = join(folder(), "lock");
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error("no luck"))),
      /no luck/,
    );
    assert.equal(await withLock(lock, () => Promise.resolve("mine")), "mine");
    assert.ok(!(await readdir(folder())).includes("lock"));
  });
});
