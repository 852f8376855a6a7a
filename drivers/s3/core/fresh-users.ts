import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorKind } from "../../common/driver-error";
import { kindOf } from "./store-error";

/** How long a user is fresh. IAM shows everywhere within seconds, as a rule, what was made. */
const FRESH_MS = 60_000;

/** How long a request is repeated; the revoke of a fresh user that somebody has removed takes as long. */
const PATIENCE_MS = 5_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * The users that this process has made, or given something, within the last minute. AWS says of such a user for some seconds
 * that there is none, at one request and not at the next: only of these is that not believed at once.
 */
export class FreshUsers {
  /** When, by user; the oldest first. */
  readonly #since = new Map<string, number>();

  /** @param patienceMs - how long a request is repeated, in milliseconds. */
  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** Notes that the user is there, whatever the store says in the next seconds. */
  note(user: string): void {
    this.#since.delete(user);
    this.#since.set(user, performance.now());
    for (const other of this.#since.keys()) {
      if (this.#isFresh(other)) break;
      this.#since.delete(other);
    }
  }

  /** Notes that the user has gone. */
  forget(user: string): void {
    this.#since.delete(user);
  }

  /**
   * Sends a request about a user, again and again as long as the user is fresh and the answer may be one of before.
   *
   * @param stale - the kind of such an answer.
   * @throws the last answer, after five seconds.
   */
  async patiently<T>(user: string, request: () => Promise<T>, stale: ErrorKind = "not-found"): Promise<T> {
    const bound = performance.now() + this.patienceMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await request();
      } catch (error) {
        const late = performance.now() + pause > bound;
        if (kindOf(error) !== stale || late || !this.#isFresh(user)) throw error;
      }
      await sleep(pause);
    }
  }

  #isFresh(user: string): boolean {
    const since = this.#since.get(user);
    return since !== undefined && performance.now() - since < FRESH_MS;
  }
}
