import { digest } from "../dynamic/digest";

/**
 * Names that the resources of this run would send to a driver if they were made anew. A name that is in the state stays, and
 * before a replacement the engine asks `diff` before it asks `check` without the state: what the first `check` knew of the
 * program is noted here.
 */
export class NextNames {
  readonly #names = new Map<string, string>();

  /** @param inputs What `check` has made of the program's, which is what `diff` is asked with. */
  note(inputs: object, name: string): void {
    this.#names.set(digest(inputs), name);
  }

  /** The name of a resource that the program of this run has with these inputs; else `undefined`. */
  of(inputs: object): string | undefined {
    return this.#names.get(digest(inputs));
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#names.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const nextNamesOfRun = new NextNames();
