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
  readonly #issued: string[] = [];
  #count = 0;

  constructor(prefix: string) {
    this.#start = `${prefix}-${randomBytes(4).toString("hex")}`;
  }

  next(): string {
    const name = `${this.#start}-${++this.#count}`;
    this.#issued.push(name);
    return name;
  }

  /** True for a part of a name that was given. */
  holds(text: string): boolean {
    return this.#issued.some((name) => name.includes(text));
  }

  /** Two names as long as a caller sends them, which differ in the last character alone. */
  longPair(): readonly [string, string] {
    const same = this.next().padEnd(maximumNameLength - 1, "x");
    return [`${same}a`, `${same}b`];
  }
}
