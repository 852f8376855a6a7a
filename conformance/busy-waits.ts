import { pauseBeforeRetry } from "../provider/driver/call/retry";
import { isPassing, type Exchange } from "./exchange";

/** Pause before a call is repeated that may end otherwise in a moment; each further one is longer. */
export const firstPause = 200;
/** Pause before the only repeat of a call, once the run has waited in vain for long enough. */
const onlyPause = 1_000;
/** So many times the longest wait for one call is waited in vain over the whole run. */
const vainCalls = 2;

/**
 * Repeats calls as long as the driver says that it cannot do them now, as every caller does: each for as long as one call
 * may take, and all that stay so for twice that together. From then on such a call is repeated once: there are drivers
 * that say so of each refusal.
 */
export class BusyWaits {
  #left: number;
  /** Up to this time all that was waited in vain is taken off. */
  #counted = 0;

  constructor(
    /** Longest wait for one call, in milliseconds. */
    private readonly patience: number,
    private readonly pause: (milliseconds: number) => Promise<void>,
    private readonly now: () => number = Date.now,
  ) {
    this.#left = vainCalls * patience;
  }

  /** @returns the last answer. */
  async settled<Reply>(call: () => Promise<Exchange<Reply>>): Promise<Exchange<Reply>> {
    const start = this.now();
    const isSpent = this.#left < this.patience;
    let exchange = await call();
    for (let attempt = 1; isPassing(exchange); attempt++) {
      const milliseconds = isSpent ? onlyPause : pauseBeforeRetry(attempt, firstPause);
      if (isSpent ? attempt > 1 : this.now() - start + milliseconds > this.patience) {
        this.#spend(start);
        break;
      }
      await this.pause(milliseconds);
      exchange = { ...(await call()), repeated: true };
    }
    return exchange;
  }

  /** Calls that wait at the same time have waited once. */
  #spend(start: number): void {
    const end = this.now();
    this.#left -= end - Math.max(start, this.#counted);
    this.#counted = end;
  }
}
