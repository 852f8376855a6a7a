import { Progress, wholeSeconds } from "../progress";
import { sleep } from "../call/retry";

/** Socket, connection and name are looked for this often, in milliseconds. */
const lookInterval = 100;

/** The one wait for a driver's socket, connection and name together. */
export class ConnectWait {
  readonly #started = Date.now();
  readonly #progress = new Progress();

  constructor(readonly seconds: number) {}

  /** Milliseconds that are left, 0 at the end. */
  get left(): number {
    return Math.max(this.#started + this.seconds * 1000 - Date.now(), 0);
  }

  /** Pauses before the next look, and tells the user now and then what is waited for. */
  async pause(what: string, milliseconds = lookInterval): Promise<void> {
    const elapsed = Date.now() - this.#started;
    this.#progress.report(elapsed, `waiting for ${what} … ${wholeSeconds(elapsed)}`);
    await sleep(milliseconds);
  }
}
