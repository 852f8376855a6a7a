import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sweepLedgers } from "../../../tools/local/process-ledger";
import { identityOf, ownHost, type ProcessIdentity } from "../../../tools/setup/process-identity.mjs";
import { startFixture } from "../fixtures/start-fixture";
import { temporaryFolder } from "../fixtures/temporary-folder";

describe("the record of running processes", () => {
  const folder = temporaryFolder();
  const ledgers = () => join(folder(), "run");
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** A process in a group of its own that would run for ever. */
  function startSleeper(script = "setInterval(() => {}, 1000)"): ChildProcess {
    const child = spawn(process.execPath, ["-e", script], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(child);
    return child;
  }

  /** The ledger that a run which is gone has left. */
  async function writeLedger(...entries: readonly object[]): Promise<void> {
    await mkdir(ledgers(), { recursive: true });
    const gone: ProcessIdentity = { pid: process.pid, started: "1", host: ownHost() };
    const lines = [{ kind: "owner", identity: gone }, ...entries].map((entry) => JSON.stringify(entry));
    await writeFile(join(ledgers(), "1-left.jsonl"), `${lines.join("\n")}\n{"kind":"proc`);
  }

  function identity(child: ChildProcess): ProcessIdentity {
    const found = identityOf(child.pid ?? 0);
    assert.ok(found);
    return found;
  }

  it("leads a later run to what a killed one has left: it ends the processes and removes the folders", async () => {
    const run = startFixture("orphan-maker.ts", [], { PULUMI_COSI_CACHE: folder() });
    const left: unknown = JSON.parse(await run.nextLine());
    assert.ok(left !== null && typeof left === "object" && "pid" in left && "folder" in left);
    run.process.kill("SIGKILL");
    await run.ended;
    assert.notEqual(identityOf(Number(left.pid)), undefined);
    assert.equal((await stat(String(left.folder))).mode & 0o777, 0o700);

    assert.deepEqual(await sweepLedgers(ledgers()), ["sleeper"]);
    assert.equal(identityOf(Number(left.pid)), undefined);
    await assert.rejects(stat(String(left.folder)), { code: "ENOENT" });
    assert.deepEqual(await readdir(ledgers()), []);
  });

  it("leaves nothing behind when the run ends by itself or by a signal", async () => {
    const run = startFixture("orphan-maker.ts", [], { PULUMI_COSI_CACHE: folder() });
    const left: unknown = JSON.parse(await run.nextLine());
    assert.ok(left !== null && typeof left === "object" && "pid" in left && "folder" in left);
    run.process.kill("SIGTERM");
    assert.equal((await run.ended).code, 143);
    assert.equal(identityOf(Number(left.pid)), undefined);
    await assert.rejects(stat(String(left.folder)), { code: "ENOENT" });
    assert.deepEqual(await readdir(ledgers()), []);
  });

  it("never ends a process that has got the pid of a recorded one", async () => {
    const bystander = startSleeper();
    const recorded = { ...identity(bystander), started: "1" };
    await writeLedger({ kind: "process", name: "etcd", identity: recorded });
    assert.deepEqual(await sweepLedgers(ledgers()), []);
    assert.notEqual(identityOf(recorded.pid), undefined);
    assert.equal(bystander.signalCode, null);
    assert.deepEqual(await readdir(ledgers()), []);
  });

  it("ends a process that does not listen to SIGTERM", async () => {
    const stubborn = startSleeper(
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')",
    );
    assert.ok(stubborn.stdout);
    await once(stubborn.stdout, "data");
    await writeLedger({ kind: "process", name: "stubborn", identity: identity(stubborn) });
    const ended = once(stubborn, "exit");
    assert.deepEqual(await sweepLedgers(ledgers()), ["stubborn"]);
    assert.deepEqual(await ended, [null, "SIGKILL"]);
  });

  it("leaves alone what belongs to a run that is still there, and what another machine has recorded", async () => {
    await mkdir(ledgers());
    const recorded = identity(startSleeper());
    const entry = JSON.stringify({ kind: "process", name: "etcd", identity: recorded });
    const here = JSON.stringify({ kind: "owner", identity: identityOf(process.pid) });
    const there = JSON.stringify({ kind: "owner", identity: { pid: 7, started: "1", host: "elsewhere" } });
    await writeFile(join(ledgers(), "1-here.jsonl"), `${here}\n${entry}\n`);
    await writeFile(join(ledgers(), "7-there.jsonl"), `${there}\n${entry}\n`);
    assert.deepEqual(await sweepLedgers(ledgers()), []);
    assert.notEqual(identityOf(recorded.pid), undefined);
    assert.equal((await readdir(ledgers())).length, 2);
  });

  it("removes no folder that is not named as those of a run", async () => {
    const precious = await mkdtemp(join(tmpdir(), "precious-"));
    await writeLedger({ kind: "folder", path: precious });
    await sweepLedgers(ledgers());
    await stat(precious);
    await rm(precious, { recursive: true });
  });
});
