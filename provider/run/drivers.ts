import type { DriverReference } from "../driver-resource/driver-reference";
import { containsUnknown } from "../dynamic/values";

/** How a driver is reached, and the name against which it is checked. */
export type FoundDriver = Omit<DriverReference, "seed" | "ownerSeed">;

/**
 * Where the Driver resources of this run lead. What the state holds of a bucket or an access is what was so when it was
 * written: a Driver may have moved since, and an entry that goes is never written again.
 */
export class Drivers {
  readonly #found = new Map<string, FoundDriver>();

  /** Notes how a Driver resource is reached now, once all of it is known. */
  note(reference: DriverReference): void {
    if (!containsUnknown(reference)) this.#found.set(reference.seed, reference);
  }

  /** The driver as it is reached now; as it is recorded, where the run knows nothing newer. */
  current(recorded: DriverReference): FoundDriver {
    return this.#found.get(recorded.seed) ?? recorded;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#found.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const driversOfRun = new Drivers();
