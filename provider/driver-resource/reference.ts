import type { KeptSettings } from "../driver/settings";

/**
 * What a bucket or an access keeps of its driver: how to reach it, and who it is. It stands in the state of each, as
 * `destroy` runs no program.
 */
export interface DriverReference extends KeptSettings {
  /** The name that was recorded, against which the driver behind the endpoint is checked before each call. */
  driverName: string;
  /** Random text of the Driver resource, from which names are computed. */
  seed: string;
  /**
   * Seed of the Driver resource with which the resource has asked first, for whom the driver may have recorded what it
   * made. The program has another one in its place since: renamed without an alias.
   *
   * @default `seed`
   */
  ownerSeed?: string;
}

/** A reference as a program gives it, where a part may be `null` for one that is left out. */
export interface GivenReference extends DriverReference {
  /** Of the Driver resource: not known in the preview of its create. A reference of the plugin has none. */
  id?: string;
}
