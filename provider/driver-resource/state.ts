import { connectionSettingsOf, type ConnectionSettings } from "../driver/settings";
import type { DriverReference } from "./reference";
import { secretSettings } from "./secret-settings";
import { stateFormat } from "../dynamic/state-format";

export interface DriverInputs extends ConnectionSettings {
  driverName?: string;
  logicalName: string;
}

export interface DriverOutputs extends ConnectionSettings {
  logicalName: string;
  /** The name that was recorded. */
  driverName: string;
  /** The name that the program demands. */
  demandedDriverName: string | null;
  /** Random text from which the names of this driver's buckets and accounts are computed. */
  seed: string;
  schemaVersion: typeof stateFormat;
}

/** The reference that buckets and accesses keep of a driver. */
export function referenceTo(driver: DriverReference): DriverReference {
  const { driverName, seed } = driver;
  return { ...connectionSettingsOf(driver), driverName, seed };
}

/** What the state keeps of a driver. */
export function outputsOf(inputs: DriverInputs, driverName: string, seed: string): DriverOutputs {
  return secretSettings({
    ...connectionSettingsOf(inputs),
    logicalName: inputs.logicalName,
    driverName,
    demandedDriverName: inputs.driverName ?? null,
    seed,
    schemaVersion: stateFormat,
  });
}
