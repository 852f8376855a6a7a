/** Runs functions with the same key one after the other, those with different keys side by side. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(action, action);
    const tail = mine.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/** Lets a limited number of functions run at one time; the others wait in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** Allows no more than this from now on; a higher limit than the present one changes nothing. */
  lowerTo(limit: number): void {
    this.#limit = Math.min(this.#limit, limit);
  }

  async run<T>(action: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await action();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Where the limit was lowered, more may still run than it allows. */
  #startNext(): void {
    if (this.#running >= this.#limit) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#running += 1;
    next();
  }
}
