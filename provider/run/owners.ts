import type { DriverReference } from "../driver-resource/reference";
import { digest } from "../dynamic/digest";
import { containsUnknown } from "../dynamic/values";

/**
 * For whom the resources of this run have asked by which names. A driver that records owners answers a name only to the
 * one for whom it was asked first, whatever has become of the Driver resource since. To replace a resource the engine asks
 * `check` a second time, then without the state: what the first one knew is noted here.
 */
export class Owners {
  readonly #seeds = new Map<string, string>();

  /**
   * The reference with the owner for whom a resource asks by a name.
   *
   * @param asked What the program calls the resource, and the name.
   * @param inState True if the reference is that of a resource in the state, and has its owner.
   */
  keep(driver: DriverReference, asked: readonly [string, string], inState: boolean): DriverReference {
    if (containsUnknown([asked, driver.seed])) return driver;
    const key = digest(asked);
    if (inState) this.#seeds.set(key, driver.ownerSeed ?? driver.seed);
    const ownerSeed = this.#seeds.get(key) ?? driver.seed;
    return inState || ownerSeed === driver.seed ? driver : { ...driver, ownerSeed };
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#seeds.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const ownersOfRun = new Owners();
