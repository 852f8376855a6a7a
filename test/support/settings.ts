import type { ConnectionSettings } from "../../provider/driver/settings";
import type { DriverReference } from "../../provider/driver-resource/driver-reference";
import { driverName } from "./cosi-v1alpha1";

/** Settings with short waits, so that a test of a failure need not wait for minutes. */
export function quickSettings(endpoint: string): ConnectionSettings {
  return {
    endpoint,
    contract: "cosi.v1alpha1",
    connectTimeoutSeconds: 5,
    callTimeoutSeconds: 5,
    retryBudgetSeconds: 10,
    firstRetryDelayMilliseconds: 10,
  };
}

export function driverReference(endpoint: string, changes: Partial<DriverReference> = {}): DriverReference {
  return { ...quickSettings(endpoint), driverName, seed: "00112233445566778899aabbccddeeff", ...changes };
}
