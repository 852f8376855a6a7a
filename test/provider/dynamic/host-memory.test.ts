import assert from "node:assert/strict";
import { constants, PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { MemoryGuard, ownMemory, type Memory } from "../../../provider/dynamic/host-memory";

const megabyte = 2 ** 20;

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

describe("the memory of the providers' host", () => {
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
    const made: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) made.push((entry as NodeGCPerformanceEntry).detail.kind);
    });
    observer.observe({ entryTypes: ["gc"] });
    try {
      const before = ownMemory.resident();
      for (let time = 0; time < 3; time += 1) {
        ownMemory.collect();
        await setTimeout(50);
      }
      const after = ownMemory.resident();
      const major = made.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR);
      assert.ok(major.length >= 3, `${major.length} collections`);
      assert.ok(after < before + 64 * megabyte, `${before} bytes before, ${after} after`);
    } finally {
      observer.disconnect();
    }
  });
});

/** What Node.js tells of a collection. */
interface NodeGCPerformanceEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}
