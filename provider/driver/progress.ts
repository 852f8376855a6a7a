import { showUser } from "./process/user-lines";
import { secretMask } from "./secrets/secret-mask";

/** Nothing is said of a shorter wait, in milliseconds. */
const firstLine = 5_000;
/** Longest distance between two lines, in milliseconds. */
const longestDistance = 60_000;

/**
 * Tells the user, during one wait, what it is for: after 5 s, and then at growing distances (10, 20, 40, 80 s, and
 * every minute). Pulumi shows what the host of providers prints as information under the stack.
 */
export class Progress {
  #due = firstLine;

  /** Prints the text if the time has come. @param elapsed Milliseconds since the wait began. */
  report(elapsed: number, text: string): void {
    if (elapsed < this.#due) return;
    while (this.#due <= elapsed) this.#due += Math.min(this.#due, longestDistance);
    showUser(secretMask.apply(text));
  }
}

/** A duration for such a line: `12 s`. */
export function wholeSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
