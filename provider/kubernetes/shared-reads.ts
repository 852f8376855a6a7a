/** A read that is under way, and the one after it for those who came meanwhile. */
interface Reads<T> {
  readonly current: Promise<T>;
  next: Promise<T> | undefined;
}

/**
 * One answer for all who ask for the same at the same time. Whoever asks gets what was read from then on, never what was
 * on its way already: those who come during a read share the next one.
 */
export class SharedReads<T> {
  readonly #underWay = new Map<string, Reads<T>>();

  /** @param read Is called for the first of those who share it; what it throws, each of them gets. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const reads = this.#underWay.get(key);
    if (reads === undefined) return this.#start(key, read);
    const start = (): Promise<T> => this.#start(key, read);
    reads.next ??= reads.current.then(start, start);
    return reads.next;
  }

  #start(key: string, read: () => Promise<T>): Promise<T> {
    const reads: Reads<T> = { current: read(), next: undefined };
    this.#underWay.set(key, reads);
    const end = (): void => {
      // The next one, if there is any, has its own entry by then.
      if (this.#underWay.get(key) === reads && reads.next === undefined) this.#underWay.delete(key);
    };
    reads.current.then(end, end);
    return reads.current;
  }
}
