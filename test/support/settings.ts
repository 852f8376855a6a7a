import type { ContractName } from "../../provider/contracts/contract";
import type { ConnectionSettings } from "../../provider/driver/settings";
import type { DriverReference } from "../../provider/driver-resource/reference";
import { driverName } from "./cosi-v1alpha1";

/** Settings with short waits, so that a test of a failure need not wait for minutes. */
export function quickSettings(
  endpoint: string,
  contract: ContractName = "cosi.v1alpha1",
): ConnectionSettings {
  return {
    endpoint,
    contract,
    connectTimeoutSeconds: 5,
    callTimeoutSeconds: 5,
    retryBudgetSeconds: 10,
    firstRetryDelayMilliseconds: 10,
  };
}

export function driverReference(endpoint: string, changes: Partial<DriverReference> = {}): DriverReference {
  return { ...quickSettings(endpoint), driverName, seed: "00112233445566778899aabbccddeeff", ...changes };
}
