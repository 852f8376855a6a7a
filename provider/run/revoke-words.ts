/** What NOT_FOUND means in answer to a revoke. */
export type RevokeNotFound = "fail" | "ignore";

/**
 * What the program of this run says of NOT_FOUND in answer to a revoke. An entry that only waits for its deletion keeps what
 * was so when it was written, and no `up` writes it again.
 */
export class RevokeWords {
  readonly #words = new Map<string, RevokeNotFound>();

  /** Notes the program's word. @param keys What the entries are known by for which it is said. */
  say(keys: readonly string[], word: RevokeNotFound = "fail"): void {
    for (const key of keys) this.#words.set(key, word);
  }

  /** The word for an entry; `undefined` where the program has nothing of it, or none has run. */
  of(key: string): RevokeNotFound | undefined {
    return this.#words.get(key);
  }

  /** True if a program can speak of the entry: this run's does, or there is none, as in a `destroy`, which may be for once. */
  canBeSaid(key: string): boolean {
    return this.#words.size === 0 || this.#words.has(key);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#words.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const revokeWordsOfRun = new RevokeWords();
