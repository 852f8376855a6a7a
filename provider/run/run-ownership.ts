import { driversOfRun } from "./drivers";
import type { DriverReference } from "../driver-resource/driver-reference";
import { placeOf } from "../driver/settings";
import { digest } from "../dynamic/digest";
import { containsUnknown, isUnknown } from "../dynamic/values";

/** What names a backend object: the driver it is at, and its ids there. */
export interface OwnedObject {
  readonly driver: DriverReference;
  /** Ids that lead to it, each a path: a bucket's id, or a bucket's and an account's. */
  readonly ids: readonly (readonly string[])[];
  /**
   * The name that was sent, as a path, where the driver may give it another object at each call: what the ids say of an
   * object counts then, and the name only as long as no id is known.
   *
   * @default none
   */
  readonly name?: readonly string[];
}

/**
 * Who owns a backend object in this run. Pulumi deletes an old entry after it has created or kept another one, so a
 * resource that was renamed without an alias, or replaced by `--replace`, would take with it what its successor uses.
 */
export class RunOwnership {
  /** Who owns it: entries of the state, as the state calls them, or "" for what was made in this run. */
  readonly #owned = new Map<string, Set<string>>();
  /** Names of which a driver was asked, by whether it has told the object's id. */
  readonly #names = new Map<string, "asked" | "told">();
  /** What the state calls resources of the program. */
  readonly #entries = new Map<string, string>();
  readonly #registered = new Set<string>();
  readonly #senders = new Map<string, string>();
  readonly #wanted = new Map<string, ReadonlySet<string>>();

  /** Notes that the program of this run has a resource with these inputs. */
  register(inputs: object): void {
    this.#registered.add(digest(inputs));
  }

  /**
   * Notes that a resource of the program asks a driver for this object, whatever comes of it: a call may have its effect
   * and lose its answer, and another run may make what this one did not.
   *
   * @param resource What the program calls the resource.
   * @param kept What the state calls it. For a replacement the engine asks a second time, then without the state.
   */
  want(object: OwnedObject, resource: string, kept: string): void {
    for (const key of [...idsOf(object), ...namesOf(object)]) {
      const known = this.#wanted.get(key);
      this.#wanted.set(key, new Set([resource, kept, ...(known?.has(resource) === true ? known : [])]));
    }
  }

  /**
   * True if the program of this run has a resource with these inputs. A `diff` alone says nothing: a refresh asks for one
   * too, of resources that the same run will delete.
   */
  isRegistered(inputs: object): boolean {
    return this.#registered.has(digest(inputs));
  }

  /**
   * Notes which resource of the program sends a name to a driver.
   *
   * @returns The other resource that sends it too, or `undefined`.
   */
  otherSender(object: OwnedObject, resource: string): string | undefined {
    for (const key of idsOf(object)) {
      const known = this.#senders.get(key);
      if (known !== undefined && known !== resource) return known;
      this.#senders.set(key, resource);
    }
    return undefined;
  }

  /**
   * Notes that a resource of this run has created the object, has asked for it, or keeps it.
   *
   * @param entry What the state calls the resource, where it is kept only unless {@link replace} is said of it.
   */
  keep(object: OwnedObject, entry = ""): void {
    for (const key of idsOf(object)) this.#owned.set(key, new Set([...(this.#owned.get(key) ?? []), entry]));
    for (const key of namesOf(object)) this.#names.set(key, isTold(object) ? "told" : "asked");
  }

  /** Notes what the state calls a resource of the program. */
  enter(resource: string, entry: string): void {
    this.#entries.set(resource, entry);
  }

  /**
   * Notes that a resource is made anew, so that its entry in the state keeps nothing: a replacement may be asked for
   * whatever `diff` says.
   *
   * @param resource What the program calls the resource.
   */
  replace(resource: string): void {
    const entry = this.#entries.get(resource);
    if (entry === undefined) return;
    for (const [key, owners] of this.#owned) {
      owners.delete(entry);
      if (owners.size === 0) this.#owned.delete(key);
    }
  }

  /**
   * True if a resource of this run has created the object, has asked for it, or keeps it, or if the program wants it. Of
   * an object whose id is known, a name says nothing any more for which the driver has told another id.
   *
   * @param resource What the state calls the resource that is going: what it wants itself, as it will be made anew, is no
   * reason to keep what it has.
   */
  isKept(object: OwnedObject, resource: string): boolean {
    const ids = idsOf(object);
    const names = namesOf(object);
    if ([...ids, ...names].some((key) => this.#isAskedFor(key, resource))) return true;
    if (ids.some((key) => this.#owned.has(key))) return true;
    return !isTold(object) && names.some((key) => this.#owned.has(key) || this.#names.has(key));
  }

  #isAskedFor(key: string, resource: string): boolean {
    const asked = this.#names.get(key);
    if (asked !== undefined) return asked === "asked";
    return this.#wanted.get(key)?.has(resource) === false;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    const all = [this.#owned, this.#names, this.#entries, this.#registered, this.#senders, this.#wanted];
    for (const known of all) known.clear();
  }

  /** Notes that the object is gone. */
  forget(object: OwnedObject): void {
    for (const key of idsOf(object)) this.#owned.delete(key);
  }
}

function isTold({ ids }: OwnedObject): boolean {
  return ids.length > 0;
}

function idsOf({ driver, ids }: OwnedObject): string[] {
  return ids.flatMap((id) => keysOf(driver, id));
}

function namesOf({ driver, name }: OwnedObject): string[] {
  return name === undefined ? [] : keysOf(driver, name);
}

/**
 * An object is the same at the same Driver resource, which may have moved, or at the same connection, under a Driver of
 * another name. The driver's own name does not tell: two stores may be served by drivers of one name. What a preview does
 * not know yet tells nothing.
 */
function keysOf(driver: DriverReference, id: readonly string[]): string[] {
  if (containsUnknown(id)) return [];
  const places = [driver, driversOfRun.current(driver)]
    .filter(({ endpoint, command, environment }) => !containsUnknown([endpoint, command, environment]))
    .map((known) => ["place", placeOf(known)]);
  const seed = isUnknown(driver.seed) ? [] : [["seed", driver.seed]];
  return [...new Set([...seed, ...places].map((place) => digest([place, id])))];
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const bucketsOfRun = new RunOwnership();
export const accountsOfRun = new RunOwnership();
