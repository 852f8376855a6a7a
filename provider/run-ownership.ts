import { canonical } from "./dynamic/values";

/**
 * Who owns a backend object in this run. Pulumi deletes an old entry after it has created or kept another one, so a
 * resource that was renamed without an alias, or replaced by `--replace`, would take with it what its successor uses.
 */
export class RunOwnership {
  readonly #owned = new Set<string>();

  /** Notes that a resource of this run has created the object, or keeps it. */
  keep(...key: readonly string[]): void {
    this.#owned.add(canonical(key));
  }

  /** True if another resource of this run has created the object, or keeps it. */
  isKept(...key: readonly string[]): boolean {
    return this.#owned.has(canonical(key));
  }

  /** Notes that the object is gone. */
  forget(...key: readonly string[]): void {
    this.#owned.delete(canonical(key));
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const bucketsOfRun = new RunOwnership();
export const accountsOfRun = new RunOwnership();
