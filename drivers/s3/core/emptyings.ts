import type { Log } from "../../common/log";
import { DriverError } from "../../common/driver-error";
import { toDriverError } from "./store-error";
import { quote } from "../../common/text";

/** How long a call waits for an emptying: less than the minute that callers give it, so that they hear how far it is. */
const PATIENCE_MS = 45_000;

/** The emptying of one bucket, which may take hours and outlives the call that asked for it. */
export interface Emptying {
  /**
   * Waits for the end, and ends as it ends.
   *
   * @throws DriverError `aborted` if that takes longer than a call may wait; the emptying goes on.
   */
  finished(): Promise<void>;
  /** What to tell a call that cannot be served meanwhile. */
  busy(): DriverError;
}

/**
 * The emptyings under way: one per bucket at a time, which every call for the bucket finds. They live in memory
 * only, as an emptying that was cut short leaves a bucket that the same call goes on to empty.
 */
export class Emptyings {
  readonly #underWay = new Map<string, { readonly emptying: Emptying; readonly outcome: Promise<void> }>();
  #stopping = false;

  /** @param patienceMs - how long a call waits, in milliseconds. */
  constructor(
    private readonly log: Log,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** The emptying of a bucket that is under way. */
  find(bucket: string): Emptying | undefined {
    return this.#underWay.get(bucket)?.emptying;
  }

  /**
   * Starts an emptying; the caller has made sure that none is under way for the bucket.
   *
   * @param work - empties the bucket, and calls its argument after each step with the number of things removed.
   */
  start(bucket: string, work: (removed: (count: number) => void) => Promise<void>): Emptying {
    const start = performance.now();
    let total = 0;
    const removed = (count: number) => {
      total += count;
      if (this.#stopping) {
        throw new DriverError(
          "unavailable",
          `the driver is being stopped; ${soFar()}; delete again to go on`,
        );
      }
    };
    const soFar = () => `${total} objects, versions and uploads are removed so far`;
    const line = () => ({ bucket: quote(bucket), removed: total, ms: Math.round(performance.now() - start) });

    const outcome = work(removed).finally(() => this.#underWay.delete(bucket));
    outcome.then(
      () => {
        this.log.info("emptied and deleted", line());
      },
      (error: unknown) => {
        const { message } = toDriverError(error, `empty bucket ${quote(bucket)}`);
        this.log.error("emptying failed", { ...line(), reason: message });
      },
    );
    const busy = () =>
      new DriverError(
        "aborted",
        `it is being emptied and deleted: ${soFar()} and the work goes on; call again later`,
      );
    const emptying = { finished: () => withinMs(this.patienceMs, outcome, busy), busy };
    this.#underWay.set(bucket, { emptying, outcome });
    return emptying;
  }

  /** Ends every emptying after its present step; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled([...this.#underWay.values()].map(({ outcome }) => outcome));
  }
}

/** The outcome, or the error if it does not come in time. */
async function withinMs(ms: number, outcome: Promise<void>, late: () => Error): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, ms);
  });
  try {
    await Promise.race([outcome, end]);
  } finally {
    clearTimeout(timer);
  }
}
