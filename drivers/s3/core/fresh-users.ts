import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorKind } from "../../common/driver-error";
import { kindOf } from "./store-error";

/** How long a user is fresh. IAM shows everywhere within seconds, as a rule, what was made. */
const FRESH_MS = 60_000;

/** How long a request is repeated; the revoke of a user that somebody has removed takes as long. */
const PATIENCE_MS = 5_000;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** What is known of a user, and since when. */
interface Known {
  readonly since: number;
  readonly isThere: boolean;
}

/**
 * What this process has seen to of users within the last minute. AWS says of a user that was made, or given something, a moment
 * ago for some seconds that there is none, at one request and not at the next: of these that is not believed at once.
 */
export class FreshUsers {
  /** By user; the oldest first. */
  readonly #known = new Map<string, Known>();

  /** @param patienceMs - how long a request is repeated, in milliseconds. */
  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** Notes that the user is there, whatever the store says in the next seconds. */
  note(user: string): void {
    this.#put(user, true);
  }

  /**
   * Notes that the user may be there, made a moment ago by another process, such as the driver of an earlier run. One that this
   * process knows to be gone is not.
   */
  expect(user: string): void {
    if (this.#recent(user)?.isThere !== false) this.#put(user, true);
  }

  /** Notes that a user that was noted has gone. */
  forget(user: string): void {
    if (this.#known.has(user)) this.#put(user, false);
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
    return this.#recent(user)?.isThere === true;
  }

  #recent(user: string): Known | undefined {
    const known = this.#known.get(user);
    return known !== undefined && performance.now() - known.since < FRESH_MS ? known : undefined;
  }

  #put(user: string, isThere: boolean): void {
    this.#known.delete(user);
    this.#known.set(user, { since: performance.now(), isThere });
    for (const other of this.#known.keys()) {
      if (this.#recent(other) !== undefined) break;
      this.#known.delete(other);
    }
  }
}
