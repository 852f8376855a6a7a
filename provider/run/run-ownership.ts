import type { DriverReference } from "../driver-resource/driver-reference";
import { canonical } from "../dynamic/values";

/** What names a backend object: the driver it is at, and its ids there; the name that was sent counts as one. */
export interface OwnedObject {
  readonly driver: DriverReference;
  /** Ids that lead to it, each a path: a bucket's id, or a bucket's and an account's. */
  readonly ids: readonly (readonly string[])[];
}

/**
 * Who owns a backend object in this run. Pulumi deletes an old entry after it has created or kept another one, so a
 * resource that was renamed without an alias, or replaced by `--replace`, would take with it what its successor uses.
 */
export class RunOwnership {
  readonly #owned = new Set<string>();
  readonly #registered = new Set<string>();
  readonly #senders = new Map<string, string>();

  /** Notes that the program of this run has a resource with these inputs. */
  register(inputs: object): void {
    this.#registered.add(canonical(inputs));
  }

  /**
   * True if the program of this run has a resource with these inputs. A `diff` alone says nothing: a refresh asks for one
   * too, of resources that the same run will delete.
   */
  isRegistered(inputs: object): boolean {
    return this.#registered.has(canonical(inputs));
  }

  /**
   * Notes which resource of the program sends a name to a driver.
   *
   * @returns The other resource that sends it too, or `undefined`.
   */
  otherSender(driver: DriverReference, name: readonly string[], resource: string): string | undefined {
    const key = canonical([driver.seed, name]);
    const known = this.#senders.get(key);
    if (known !== undefined && known !== resource) return known;
    this.#senders.set(key, resource);
    return undefined;
  }

  /** Notes that a resource of this run has created the object, or keeps it. */
  keep(object: OwnedObject): void {
    for (const key of keysOf(object)) this.#owned.add(key);
  }

  /** True if another resource of this run has created the object, or keeps it. */
  isKept(object: OwnedObject): boolean {
    return keysOf(object).some((key) => this.#owned.has(key));
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    for (const known of [this.#owned, this.#registered, this.#senders]) known.clear();
  }

  /** Notes that the object is gone. */
  forget(object: OwnedObject): void {
    for (const key of keysOf(object)) this.#owned.delete(key);
  }
}

/**
 * An object is the same at the same Driver resource, which may have moved, or at the same connection, under a Driver of
 * another name. The driver's own name does not tell: two stores may be served by drivers of one name.
 */
function keysOf({ driver, ids }: OwnedObject): string[] {
  const { endpoint, command, environment } = driver;
  const connection = canonical([endpoint, command, environment]);
  return ids.flatMap((id) => [
    canonical(["seed", driver.seed, id]),
    canonical(["connection", connection, id]),
  ]);
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const bucketsOfRun = new RunOwnership();
export const accountsOfRun = new RunOwnership();
