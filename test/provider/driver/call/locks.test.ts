import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { KeyedLock, Semaphore } from "../../../../provider/driver/call/locks";

/** Actions that say when they run, and end when they are told to. */
class Recorder {
  readonly running: string[] = [];
  readonly started: string[] = [];
  readonly #ends = new Map<string, () => void>();

  action(name: string): () => Promise<string> {
    return async () => {
      this.started.push(name);
      this.running.push(name);
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
      this.running.splice(this.running.indexOf(name), 1);
      return name;
    };
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await turn();
  }
}

describe("KeyedLock", () => {
  it("runs equal keys one after the other, in the order in which they came", async () => {
    const lock = new KeyedLock();
    const recorder = new Recorder();
    const all = ["a1", "a2", "a3"].map((name) => lock.run("a", recorder.action(name)));
    await turn();
    for (const name of ["a1", "a2", "a3"]) {
      assert.deepEqual(recorder.running, [name]);
      await recorder.end(name);
    }
    assert.deepEqual(await Promise.all(all), ["a1", "a2", "a3"]);
  });

  it("runs different keys side by side", async () => {
    const lock = new KeyedLock();
    const recorder = new Recorder();
    const all = ["a", "b"].map((key) => lock.run(key, recorder.action(key)));
    await turn();
    assert.deepEqual(recorder.running, ["a", "b"]);
    await recorder.end("a");
    await recorder.end("b");
    await Promise.all(all);
  });

  it("goes on after a failure, and hands it to its own caller only", async () => {
    const lock = new KeyedLock();
    const failure = lock.run("a", () => Promise.reject(new Error("no")));
    const next = lock.run("a", () => Promise.resolve("yes"));
    await assert.rejects(failure, /no/);
    assert.equal(await next, "yes");
    assert.equal(await lock.run("a", () => Promise.resolve("again")), "again");
  });
});

describe("Semaphore", () => {
  it("lets so many run, and the others in the order in which they came", async () => {
    const semaphore = new Semaphore(2);
    const recorder = new Recorder();
    const names = ["1", "2", "3", "4"];
    const all = names.map((name) => semaphore.run(recorder.action(name)));
    await turn();
    assert.deepEqual(recorder.running, ["1", "2"]);
    await recorder.end("2");
    assert.deepEqual(recorder.running, ["1", "3"]);
    for (const name of ["1", "3", "4"]) await recorder.end(name);
    assert.deepEqual(await Promise.all(all), names);
    assert.deepEqual(recorder.started, names);
  });

  it("frees its place after a failure", async () => {
    const semaphore = new Semaphore(1);
    await assert.rejects(semaphore.run(() => Promise.reject(new Error("no"))));
    assert.equal(await semaphore.run(() => Promise.resolve("yes")), "yes");
  });

  it("has no limit unless one is given", async () => {
    const semaphore = new Semaphore();
    const recorder = new Recorder();
    const names = Array.from({ length: 50 }, (_, n) => String(n));
    const all = names.map((name) => semaphore.run(recorder.action(name)));
    await turn();
    assert.equal(recorder.running.length, 50);
    for (const name of names) await recorder.end(name);
    await Promise.all(all);
  });

  it("starts nothing more, once its limit is lowered, before fewer run than that", async () => {
    const semaphore = new Semaphore();
    const recorder = new Recorder();
    const all = ["a", "b"].map((name) => semaphore.run(recorder.action(name)));
    semaphore.lowerTo(1);
    semaphore.lowerTo(2);
    all.push(semaphore.run(recorder.action("c")));
    await turn();
    await recorder.end("a");
    assert.deepEqual(recorder.running, ["b"]);
    await recorder.end("b");
    assert.deepEqual(recorder.running, ["c"]);
    await recorder.end("c");
    await Promise.all(all);
  });
});
