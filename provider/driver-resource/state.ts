import { connectionSettingsOf, type ConnectionSettings } from "../driver/settings";
import { secretSettings } from "./secret-settings";

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
  schemaVersion: 1;
}

/** What the state keeps of a driver. */
export function outputsOf(inputs: DriverInputs, driverName: string, seed: string): DriverOutputs {
  return secretSettings({
    ...connectionSettingsOf(inputs),
    logicalName: inputs.logicalName,
    driverName,
    demandedDriverName: inputs.driverName ?? null,
    seed,
    schemaVersion: 1,
  });
}
