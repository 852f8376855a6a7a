import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { MemoryGuard, type Memory } from "../../../provider/dynamic/host-memory";

const megabyte = 2 ** 20;
const repository = path.join(__dirname, "..", "..", "..");

/** A process of which a test says how large it is. */
class Measured implements Memory {
  collections = 0;
  constructor(
    public used: number,
    public size: number,
    private readonly living: number,
  ) {}

  heapUsed = (): number => this.used * megabyte;
  resident = (): number => this.size * megabyte;
  collect = (): void => {
    this.collections += 1;
    this.used = this.living;
  };
}

describe("the memory of the providers' host", function () {
  this.timeout(30_000);

  it("is left to V8 while the process is small", () => {
    const memory = new Measured(150, 180, 50);
    assert.equal(new MemoryGuard(memory).collectIfLarge(), false);
    assert.equal(memory.collections, 0);
  });

  it("is collected when the process is large, and again when its heap has grown by much", () => {
    const memory = new Measured(100, 200, 60);
    const guard = new MemoryGuard(memory);
    assert.equal(guard.collectIfLarge(), true);
    memory.used = 90;
    assert.equal(guard.collectIfLarge(), false);
    memory.used = 95;
    assert.equal(guard.collectIfLarge(), true);
    assert.equal(memory.collections, 2);
  });

  it("is not collected in vain where what lives is large", () => {
    const memory = new Measured(400, 600, 395);
    const guard = new MemoryGuard(memory);
    const asked = Array.from({ length: 50 }, () => guard.collectIfLarge());
    assert.equal(asked.filter(Boolean).length, 1);
  });

  it("is measured from the least that V8 has left, when it collects by itself", () => {
    const memory = new Measured(200, 300, 150);
    const guard = new MemoryGuard(memory);
    guard.collectIfLarge();
    memory.used = 60;
    assert.equal(guard.collectIfLarge(), false);
    memory.used = 100;
    assert.equal(guard.collectIfLarge(), true);
  });

  it("is collected by V8 when that is asked for, and takes nothing of the system for it", async () => {
    // A process of its own: what else one of many tests holds decides when V8 collects there.
    const script = `
      const { constants, PerformanceObserver } = require("node:perf_hooks");
      const { ownMemory } = require("./provider/dynamic/host-memory");
      let major = 0;
      new PerformanceObserver((list) => {
        for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) major += 1;
      }).observe({ entryTypes: ["gc"] });
      const before = ownMemory.resident();
      const ask = (times) => {
        if (times === 0) return process.stdout.write(JSON.stringify({ major, grown: ownMemory.resident() - before }));
        ownMemory.collect();
        setTimeout(ask, 100, times - 1);
      };
      ask(5);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["-r", "ts-node/register/transpile-only", "-e", script],
      { cwd: repository },
    );
    const { major, grown } = JSON.parse(stdout) as { major: number; grown: number };
    assert.ok(major >= 3, `${major} collections`);
    assert.ok(grown < 64 * megabyte, `${grown} bytes more`);
  });
});
