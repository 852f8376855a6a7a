import type { AccessObjects, BucketObjects } from "../models/model";
import { digest } from "../dynamic/digest";
import { containsUnknown } from "../dynamic/values";

type Objects = AccessObjects | BucketObjects;

/**
 * Objects around buckets and accesses that resources of this run have. An entry that is dropped, as another resource has what
 * it stands for, lets its objects go, unless they are that one's too: after a rename without an alias, or a replacement that
 * was asked for, both have the same.
 */
export class ObjectsOfRun {
  readonly #used = new Set<string>();
  /** What the program, and the state, call the resources whose objects they are to be. */
  readonly #wanted = new Map<string, Set<string>>();
  /** UIDs of objects of accesses. */
  readonly #replaced = new Set<string>();

  /** Notes that a resource of this run makes, or keeps, what these objects stand for. */
  use(objects: Objects | undefined): void {
    if (objects !== undefined) this.#used.add(keyOf(objects));
  }

  /** Notes that a resource of the program has these objects, by the names that program and state have for it. */
  want(objects: Objects | undefined, names: readonly string[]): void {
    if (objects === undefined || containsUnknown(objects)) return;
    const key = keyOf(objects);
    this.#wanted.set(key, new Set([...(this.#wanted.get(key) ?? []), ...names]));
  }

  /**
   * True if another resource of this run has them; of none at all nothing has to be let go either.
   *
   * @param resource What the state calls the resource that is going.
   */
  isUsed(objects: Objects | undefined, resource: string): boolean {
    if (objects === undefined) return true;
    const key = keyOf(objects);
    return this.#used.has(key) || this.#wanted.get(key)?.has(resource) === false;
  }

  /** Notes that an access is replaced; what still belongs to its object goes in this run too. */
  replace(objects: AccessObjects | undefined): void {
    if (objects !== undefined && objects.access.uid !== "") this.#replaced.add(objects.access.uid);
  }

  /** True for the object of an access that is replaced in this run. */
  isReplaced(uid: string): boolean {
    return this.#replaced.has(uid);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#used.clear();
    this.#replaced.clear();
    this.#wanted.clear();
  }
}

/** By the object that stands for it, and by who asked for it, where the object has no UID yet. */
function keyOf(objects: Objects): string {
  const { model, kubernetes, claim } = objects;
  const place = [model, kubernetes.clusterUid ?? null];
  if ("access" in objects) return digest([...place, objects.access]);
  return digest([...place, objects.bucket, claim]);
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const objectsOfRun = new ObjectsOfRun();
