/** Runs tasks of one key one after the other, tasks of different keys side by side. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the task once all earlier tasks of the key have ended, well or not. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.then(task, task);
    const settled = own.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === settled) {
        this.#last.delete(key);
      }
    }
  }
}
