import { isSameDriver, markOf, maybeSameDriver, type DriverMark } from "./driver-mark";
import type { DriverReference } from "../driver-resource/reference";
import { digest } from "../dynamic/digest";
import { containsUnknown } from "../dynamic/values";

/** What names a backend object: the driver it is at, and its ids there. */
export interface OwnedObject {
  readonly driver: DriverReference;
  /** Ids that lead to it, each a path: a bucket's id, or a bucket's and an account's. The driver's own is the last one. */
  readonly ids: readonly (readonly string[])[];
  /**
   * The name that was sent, as a path, where the driver may give it another object at each call: what the ids say of an
   * object counts then, and the name only as long as no id is known.
   *
   * @default none
   */
  readonly name?: readonly string[];
  /**
   * What was sent with the name, in one text: to another one, a driver does not give the object of that name (GRPC-020,
   * GRPC-024).
   *
   * @default it is not known
   */
  readonly terms?: string;
  /** It is the program's word that the resource has it, and nothing was made for it. @default false */
  readonly isGiven?: boolean;
}

/** A resource of this run because of which nothing must be deleted or revoked, though nobody knows that it has the object. */
export interface Doubt {
  /** What the program calls it. */
  readonly resource: string;
  /** Where it was given an object of this id, by a driver of the same name. @default it has asked for it in vain */
  readonly elsewhere?: string;
}

/** Who has an object: an entry of the state, as the state calls it, or "" for a resource that has it from this run on. */
interface Owner {
  readonly driver: DriverMark;
  readonly entry: string;
  /** The resource for which a driver was asked in this run. */
  readonly maker?: string;
  /** What program and state call the resource that the program gives it to. */
  readonly takers?: readonly string[];
}

/** A resource that asks a driver for an object, by what program and state call it. */
interface Asking {
  readonly driver: DriverMark;
  readonly resource: string;
  readonly calledBy: ReadonlySet<string>;
  readonly terms: string | undefined;
}

/** How far a driver was asked: it was refused for sure, be it as a name that exists already, or has told an id. */
type Answered = "asked" | "refused" | "exists" | "told";

/**
 * Who owns a backend object in this run. Pulumi deletes an old entry after it has created or kept another one, so a
 * resource that was renamed without an alias, or replaced by `--replace`, would take with it what its successor uses.
 */
export class RunOwnership {
  readonly #owned = new Map<string, readonly Owner[]>();
  /** Names of which a driver was asked. */
  readonly #asked = new Map<string, readonly (Asking & { readonly answered: Answered })[]>();
  /** Names of which the program wants a driver to be asked. */
  readonly #wanted = new Map<string, readonly Asking[]>();
  /** What the state calls resources of the program. */
  readonly #entries = new Map<string, string>();
  readonly #registered = new Set<string>();
  readonly #senders = new Map<
    string,
    readonly { readonly driver: DriverMark; readonly resource: string }[]
  >();

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
    const { driver, terms } = marked(object);
    for (const key of nameKeysOf(object)) {
      const known = this.#wanted.get(key) ?? [];
      const before = known.find((wish) => isSameDriver(wish.driver, driver))?.calledBy;
      const calledBy = new Set([resource, kept, ...(before?.has(resource) === true ? before : [])]);
      this.#wanted.set(key, [...othersThan(driver, known), { driver, resource, calledBy, terms }]);
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
    const { driver } = marked(object);
    for (const key of keysOf(object.ids)) {
      const known = this.#senders.get(key) ?? [];
      const other = known.find(
        (sender) => isSameDriver(sender.driver, driver) && sender.resource !== resource,
      );
      if (other !== undefined) return other.resource;
      this.#senders.set(key, [...othersThan(driver, known), { driver, resource }]);
    }
    return undefined;
  }

  /** Notes that a driver is asked for the object in this run, by its name. @param resource What the program calls the resource. */
  ask(object: OwnedObject, resource: string): void {
    this.#answer(object, resource, "asked");
  }

  /** Notes that the driver has refused that for sure. @param exists It said that there is one of this name already. */
  refuse(object: OwnedObject, resource: string, exists: boolean): void {
    this.#answer(object, resource, exists ? "exists" : "refused");
  }

  /** Notes that a resource was given the object in this run. @param maker What the program calls the resource. */
  made(object: OwnedObject, maker: string): void {
    this.#own(object, { entry: "", maker });
  }

  /**
   * Notes that a resource of this run keeps the object.
   *
   * @param entry What the state calls the resource, where it is kept only unless it is made anew: see {@link enter}.
   */
  keep(object: OwnedObject, entry?: string): void {
    this.#own(object, { entry: entry === undefined ? "" : ofKind(markOf(object.driver), entry) });
  }

  /** Notes that the program gives a resource an object that is there. @param takers What program and state call the resource. */
  take(object: OwnedObject, takers: readonly string[]): void {
    this.#own(object, { entry: "", takers });
  }

  /**
   * Notes what the state calls a resource of the program. One that it does not have is made anew, so that an entry which it
   * had keeps nothing: a replacement may be asked for whatever `diff` says.
   */
  enter(driver: DriverReference, resource: string, entry: string | undefined): void {
    const mark = markOf(driver);
    const key = ofKind(mark, resource);
    if (entry !== undefined) {
      this.#entries.set(key, ofKind(mark, entry));
      return;
    }
    const before = this.#entries.get(key);
    if (before === undefined) return;
    for (const [id, owners] of this.#owned) {
      if (owners.some((owner) => owner.entry === before))
        this.#owned.set(
          id,
          owners.filter((owner) => owner.entry !== before),
        );
    }
  }

  /** True if a resource of this run has the object, or will have it: nothing must be deleted or revoked for this entry. */
  isKept(object: OwnedObject, entry: string): boolean {
    return this.holdOn(object, entry) === "kept";
  }

  /**
   * "kept" if a resource of this run has created the object, has asked for it, or keeps it, or if the program wants it. Of an
   * object whose id is known, a name says nothing any more for which the driver has told another id; nor does one that is
   * sent with other terms, by which no driver gives this object.
   *
   * @param entry What the state calls the resource that is going: what it wants itself, as it will be made anew, is no reason to
   * keep what it has.
   */
  holdOn(object: OwnedObject, entry: string): "kept" | Doubt | undefined {
    const going = marked(object);
    const names = keysOf(object.name === undefined ? [] : [object.name]);
    const ids = keysOf(object.ids);
    const isHere = ({ driver }: { readonly driver: DriverMark }): boolean =>
      isSameDriver(driver, going.driver);
    const askings = [...ids, ...names].map((key) => this.#asked.get(key)?.find(isHere));
    const wishes = [...ids, ...names].map((key) => this.#wanted.get(key)?.find(isHere));
    for (const [position, asking] of askings.entries()) {
      const wish = wishes[position];
      if (asking?.answered === "asked" && isForSame(asking, going)) return "kept";
      if (asking === undefined && wish?.calledBy.has(entry) === false && isForSame(wish, going))
        return "kept";
    }
    const has = (owner: Owner): boolean =>
      isHere(owner) && !(object.isGiven === true && owner.takers?.includes(entry) === true);
    if (ids.some((key) => this.#owned.get(key)?.some(has) === true)) return "kept";
    if (ids.length === 0) {
      if (names.some((key) => this.#owned.get(key)?.some(has) === true)) return "kept";
      if (askings.some((asking) => asking?.answered === "told")) return "kept";
    }
    const isInProgram = [...this.#entries.values()].includes(ofKind(going.driver, entry));
    for (const asking of askings) {
      if (asking === undefined || asking.answered === "told") continue;
      // What was asked for can never be this object: an entry that gives its name up goes, so that the next run has it.
      const isVain = asking.answered === "exists" || !isForSame(asking, going);
      const isGivenUp = isInProgram && !asking.calledBy.has(entry);
      if (!(isVain && isGivenUp)) return { resource: asking.resource };
    }
    const own = ids.at(-1);
    const given = own === undefined ? [] : (this.#owned.get(own) ?? []);
    for (const { driver, maker } of given) {
      if (maker === undefined || !maybeSameDriver(driver, going.driver)) continue;
      return { resource: maker, elsewhere: driver.address };
    }
    return undefined;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    const all = [this.#owned, this.#asked, this.#entries, this.#registered, this.#senders, this.#wanted];
    for (const known of all) known.clear();
  }

  /** Notes that the object is gone. */
  forget(object: OwnedObject): void {
    const { driver } = marked(object);
    for (const key of keysOf(object.ids)) {
      const owners = this.#owned.get(key);
      if (owners !== undefined) this.#owned.set(key, othersThan(driver, owners));
    }
  }

  #own(object: OwnedObject, owner: Omit<Owner, "driver">): void {
    const { driver } = marked(object);
    for (const key of keysOf(object.ids)) {
      this.#owned.set(key, [...(this.#owned.get(key) ?? []), { driver, ...owner }]);
      this.#tell(key, driver);
    }
    const { ids, name, terms } = object;
    const answered = ids.length === 0 ? "asked" : "told";
    for (const key of keysOf(name === undefined ? [] : [name])) {
      const known = this.#asked.get(key) ?? [];
      const asking = { driver, resource: owner.maker ?? owner.entry, calledBy: new Set<string>(), terms };
      this.#asked.set(key, [...othersThan(driver, known), { ...asking, answered }]);
    }
  }

  /** Of a name that was asked for, what it stands for is known. */
  #tell(key: string, driver: DriverMark): void {
    const known = this.#asked.get(key);
    const asking = known?.find((one) => isSameDriver(one.driver, driver));
    if (known === undefined || asking === undefined) return;
    this.#asked.set(key, [...othersThan(driver, known), { ...asking, answered: "told" }]);
  }

  #answer(object: OwnedObject, resource: string, answered: Answered): void {
    const { driver, terms } = marked(object);
    for (const key of nameKeysOf(object)) {
      const wish = this.#wanted.get(key)?.find((one) => isSameDriver(one.driver, driver));
      const calledBy = new Set([resource, ...(wish?.calledBy.has(resource) === true ? wish.calledBy : [])]);
      const known = othersThan(driver, this.#asked.get(key) ?? []);
      this.#asked.set(key, [...known, { driver, resource, calledBy, terms, answered }]);
    }
  }
}

function marked({ driver, terms }: OwnedObject): Pick<Asking, "driver" | "terms"> {
  return { driver: markOf(driver), terms };
}

function othersThan<T extends { readonly driver: DriverMark }>(
  driver: DriverMark,
  known: readonly T[],
): readonly T[] {
  return known.filter((one) => !isSameDriver(one.driver, driver));
}

function isForSame({ terms }: Pick<Asking, "terms">, going: Pick<Asking, "terms">): boolean {
  return terms === undefined || going.terms === undefined || terms === going.terms;
}

/** A process may serve buckets and deployments, and resources of both may have one name. */
function ofKind({ kind }: DriverMark, name: string): string {
  return `${kind} ${name}`;
}

/** What a preview does not know yet tells nothing. */
function keysOf(paths: readonly (readonly string[])[]): string[] {
  return paths.filter((path) => !containsUnknown(path)).map((path) => digest(path));
}

/** The name that is sent; that of a bucket counts as an id at all times. */
function nameKeysOf({ ids, name }: OwnedObject): string[] {
  return keysOf(name === undefined ? ids : [name]);
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const bucketsOfRun = new RunOwnership();
export const accountsOfRun = new RunOwnership();
