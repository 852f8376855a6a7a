import { randomBytes } from "node:crypto";

/** What every name begins with when the user gives no prefix. */
export const defaultPrefix = "cosi-conformance";

/** Longest prefix in characters: what is added must fit into the 63 of a name. */
export const maximumPrefixLength = 40;

/** Longest name in characters that a caller sends. */
export const maximumNameLength = 63;

/** Names that nobody else has: a prefix, a random part per run, a number. */
export class Names {
  readonly #start: string;
  #count = 0;

  constructor(prefix: string) {
    this.#start = `${prefix}-${randomBytes(4).toString("hex")}`;
  }

  next(): string {
    return `${this.#start}-${++this.#count}`;
  }

  /** Two names as long as a caller sends them, which differ in the last character alone. */
  longPair(): readonly [string, string] {
    const same = this.next().padEnd(maximumNameLength - 1, "x");
    return [`${same}a`, `${same}b`];
  }
}
