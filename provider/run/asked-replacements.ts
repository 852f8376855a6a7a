/**
 * Entries of the state that may be replaced in this run, and those that `diff` has judged.
 *
 * The engine replaces a resource without asking `diff` where the option replacementTrigger says so, and where a plugin's resource
 * has replaceOnChanges it makes a replacement of what `diff` called an update. In either case it asks `check` twice: first with
 * what the state has, then without. Under `--replace`, after `pulumi state taint`, and for what goes with another one by the
 * option replaceWith, it asks once, without the state, and nobody can tell it from a resource that is new.
 */
export class AskedReplacements<Entry> {
  readonly #entries = new Map<string, { readonly kept: string; readonly entry: Entry }>();
  readonly #judged = new Set<string>();

  /**
   * @param resource What the program calls it.
   * @param kept What the state calls it, which `diff` knows it by.
   */
  enter(resource: string, kept: string, entry: Entry): void {
    this.#entries.set(resource, { kept, entry });
  }

  /** Notes that `diff` has let a replacement pass. It may be asked before `check` is, for what goes with another one. */
  judge(kept: string): void {
    this.#judged.add(kept);
  }

  /** What the state has of a resource that is made anew, if nobody has judged that; else `undefined`. */
  unasked(resource: string): Entry | undefined {
    const found = this.#entries.get(resource);
    return found === undefined || this.#judged.has(found.kept) ? undefined : found.entry;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#entries.clear();
    this.#judged.clear();
  }
}
