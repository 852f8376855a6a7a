import type { DriverReference } from "../driver-resource/reference";
import { sharesIds } from "../driver-resource/contract-ids";
import { select } from "../dynamic/select";
import { containsUnknown } from "../dynamic/values";

/** How a driver is reached, and the name against which it is checked. */
export type FoundDriver = Omit<DriverReference, "seed" | "ownerSeed">;

/**
 * Where the Driver resources of this run lead. What the state holds of a bucket or an access is what was so when it was
 * written: a Driver may have moved since, and an entry that goes is never written again.
 */
export class Drivers {
  readonly #found = new Map<string, FoundDriver>();
  readonly #seeds = new Map<string, Set<string>>();

  /** Notes how a Driver resource is reached now, once all of it is known. What the state has of its users is no word on that. */
  note(reference: DriverReference): void {
    if (!containsUnknown(reference)) this.#found.set(reference.seed, reference);
  }

  /** Notes a Driver resource of the state. Below several parents there may be several of one id. */
  enter(id: string, seed: string): void {
    this.#seeds.set(id, new Set([...(this.#seeds.get(id) ?? []), seed]));
  }

  /**
   * Seed of the Driver resource of this id, which the state has and a preview does not know.
   *
   * @param before Seed that the user of the Driver has in the state; the Driver is still that one unless the run knows better.
   * @returns `undefined` if it is one of several others.
   */
  seedOf(id: string, before: string): string | undefined {
    const seeds = this.#seeds.get(id);
    if (seeds === undefined || seeds.has(before)) return before;
    const [seed, ...others] = seeds;
    return others.length === 0 ? seed : undefined;
  }

  /**
   * The driver as it is reached now; as it is recorded, where the run knows nothing newer. Where the Driver has another
   * contract by now, the recorded one stays, with who the driver is by that: its ids mean nothing in another.
   */
  current(recorded: DriverReference): FoundDriver {
    const found = this.#found.get(recorded.seed);
    if (found === undefined) return recorded;
    if (sharesIds(recorded.contract, found.contract)) return found;
    const reached = { ...found };
    delete reached.identityMethod;
    return { ...reached, ...select(recorded, ["contract", "driverName", "identityMethod"]) };
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#found.clear();
    this.#seeds.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const driversOfRun = new Drivers();
