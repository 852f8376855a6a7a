import { isRecord } from "../dynamic/values";

/**
 * UIDs of the objects that resources of this run have, as their state says. One that looks a name up before its object is made
 * does not know it: another one tells, when a refresh reads it.
 */
export class RecordedUids {
  readonly #uids = new Set<string>();

  /** Notes what the state of a resource names by name and UID; what it has in lists is others'. */
  note(properties: unknown): void {
    if (!isRecord(properties)) return;
    const { name, uid } = properties;
    if (typeof name === "string" && typeof uid === "string" && uid !== "") this.#uids.add(uid);
    for (const value of Object.values(properties)) this.note(value);
  }

  has(uid: string | undefined): boolean {
    return uid !== undefined && this.#uids.has(uid);
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#uids.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update, for its refresh too. */
export const recordedUids = new RecordedUids();
