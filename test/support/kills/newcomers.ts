/** Tells what has come from what was there before. */
export class Newcomers {
  #before: ReadonlySet<string> = new Set();

  /** All of these were there before. */
  ignore(names: Iterable<string>): void {
    this.#before = new Set(names);
  }

  /** Those that were not, sorted. */
  among(names: readonly string[]): string[] {
    return names.filter((name) => !this.#before.has(name)).sort();
  }
}
