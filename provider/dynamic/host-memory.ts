import * as v8 from "node:v8";

/** Sizes in bytes. A host that holds nothing of a resource has 150 MB: Node.js, Pulumi's SDK and its TypeScript. */
const large = 190 * 2 ** 20;
const grown = 32 * 2 ** 20;
/** More than V8 lets memory outside of its heap grow by before it collects: 64 MB in Node.js 22 and 24. */
const felt = 128 * 2 ** 20;

/** A process, in bytes. */
export interface Memory {
  heapUsed(): number;
  resident(): number;
  /** Asks V8 to collect garbage. */
  collect(): void;
}

/**
 * Has V8 collect its garbage when the process is large and its heap has grown by much since the last time. Each call of the
 * engine is garbage once it is answered, in all some megabytes for each claim, and V8 lets a heap grow to several times what
 * lives in it before it looks: a host would take as much memory as the machine has to spare, also where that is meant for
 * others.
 */
export class MemoryGuard {
  /** Of the heap, after the last collection. */
  #kept = 0;

  constructor(private readonly memory: Memory) {}

  /** @returns whether a collection was asked for. */
  collectIfLarge(): boolean {
    const used = this.memory.heapUsed();
    this.#kept = Math.min(this.#kept, used);
    if (used - this.#kept < grown || this.memory.resident() < large) return false;
    this.memory.collect();
    this.#kept = this.memory.heapUsed();
    return true;
  }
}

/**
 * This process. No standard call asks V8 for a collection. It makes one when memory outside of its heap grows fast, and counts
 * a buffer from its allocation, while the system has no page of it until something is written there: such a one costs a range
 * of addresses.
 */
export const ownMemory: Memory = {
  heapUsed: () => v8.getHeapStatistics().used_heap_size,
  resident: () => process.memoryUsage.rss(),
  collect: () => {
    try {
      new ArrayBuffer(felt);
    } catch (error) {
      // A system that promises no more than it has: V8 collects by itself.
      if (!(error instanceof RangeError)) throw error;
    }
  },
};
