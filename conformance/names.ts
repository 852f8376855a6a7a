import { randomBytes } from "node:crypto";

/** What every name begins with when the user gives no prefix. */
export const defaultPrefix = "cosi-conformance";

/** Longest prefix in characters: what is added must fit into the 63 of a name. */
export const maximumPrefixLength = 40;

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
}
