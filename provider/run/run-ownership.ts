import type { DriverReference } from "../driver-resource/driver-reference";
import { placeOf } from "../driver/settings";
import { canonical, containsUnknown, isUnknown } from "../dynamic/values";

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
  readonly #wanted = new Map<string, ReadonlySet<string>>();

  /** Notes that the program of this run has a resource with these inputs. */
  register(inputs: object): void {
    this.#registered.add(canonical(inputs));
  }

  /**
   * Notes that a resource of the program asks a driver for this object, whatever comes of it: a call may have its effect
   * and lose its answer, and another run may make what this one did not.
   *
   * @param resource What the program calls the resource.
   * @param kept What the state calls it. For a replacement the engine asks a second time, then without the state.
   */
  want(object: OwnedObject, resource: string, kept: string): void {
    for (const key of keysOf(object)) {
      const known = this.#wanted.get(key);
      this.#wanted.set(key, new Set([resource, kept, ...(known?.has(resource) === true ? known : [])]));
    }
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
  otherSender(object: OwnedObject, resource: string): string | undefined {
    for (const key of keysOf(object)) {
      const known = this.#senders.get(key);
      if (known !== undefined && known !== resource) return known;
      this.#senders.set(key, resource);
    }
    return undefined;
  }

  /** Notes that a resource of this run has created the object, has asked for it, or keeps it. */
  keep(object: OwnedObject): void {
    for (const key of keysOf(object)) this.#owned.add(key);
  }

  /**
   * True if a resource of this run has created the object, has asked for it, or keeps it, or if the program wants it.
   *
   * @param resource What the state calls the resource that is going: what it wants itself, as it will be made anew, is no
   * reason to keep what it has.
   */
  isKept(object: OwnedObject, resource: string): boolean {
    return keysOf(object).some(
      (key) => this.#owned.has(key) || this.#wanted.get(key)?.has(resource) === false,
    );
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    for (const known of [this.#owned, this.#registered, this.#senders, this.#wanted]) known.clear();
  }

  /** Notes that the object is gone. */
  forget(object: OwnedObject): void {
    for (const key of keysOf(object)) this.#owned.delete(key);
  }
}

/**
 * An object is the same at the same Driver resource, which may have moved, or at the same connection, under a Driver of
 * another name. The driver's own name does not tell: two stores may be served by drivers of one name. What a preview does
 * not know yet tells nothing.
 */
function keysOf({ driver, ids }: OwnedObject): string[] {
  const { seed, endpoint, command, environment } = driver;
  const places: [string, string][] = [];
  if (!isUnknown(seed)) places.push(["seed", seed]);
  if (!containsUnknown([endpoint, command, environment])) places.push(["place", placeOf(driver)]);
  return ids
    .filter((id) => !containsUnknown(id))
    .flatMap((id) => places.map((place) => canonical([place, id])));
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const bucketsOfRun = new RunOwnership();
export const accountsOfRun = new RunOwnership();
