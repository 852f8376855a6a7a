import { describeDriver, isPlaceKnown, placeOf, type ConnectionSettings } from "../driver/settings";
import { isUnknown } from "../dynamic/values";

/** A Driver resource of the program, by the name that its classes have as their provisioner. */
export interface NamedDriver {
  /** What the program calls the resource. */
  readonly logicalName: string;
  readonly driverName: string;
  readonly settings: ConnectionSettings;
}

/**
 * Where the drivers of this run are, by their names. A contract that has no call for a name has nothing else that keeps a call
 * from a driver of the same name elsewhere. Source: COSI proposal of 2020-02-27, Unique Driver Names.
 */
export class DriverNames {
  readonly #known = new Map<string, NamedDriver & { readonly place: string }>();

  /** What is wrong with a name that another Driver of the program has for another place, or `undefined`. */
  problem(driver: NamedDriver): string | undefined {
    const { driverName, settings, logicalName } = driver;
    if (isUnknown(driverName) || !isPlaceKnown(settings)) return undefined;
    const place = placeOf(settings);
    const other = this.#known.get(driverName);
    if (other !== undefined && other.logicalName !== logicalName && other.place !== place) {
      return (
        `is ${JSON.stringify(driverName)}, the same as that of the Driver ${other.logicalName}, which is ` +
        `at ${describeDriver(other.settings)}: a name stands for one driver, so give one of them another name`
      );
    }
    this.#known.set(driverName, { ...driver, place });
    return undefined;
  }

  /** Forgets everything, as a new process does. */
  clear(): void {
    this.#known.clear();
  }
}

/** Of this process: Pulumi starts one host per preview and one per update. */
export const driverNamesOfRun = new DriverNames();
