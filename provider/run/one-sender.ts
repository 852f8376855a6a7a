import type { DriverReference } from "../driver-resource/reference";
import { describeDriver } from "../driver/settings";
import { describeResource } from "../dynamic/kept-inputs";
import { containsUnknown, isUnknown } from "../dynamic/values";
import type { RunOwnership } from "./run-ownership";

/** A resource of the program, and the name that it sends to a driver. */
export interface Sender {
  readonly driver: DriverReference;
  readonly name: string | undefined;
  /** What the program calls the resource now. */
  readonly resource: { readonly logicalName: string; readonly parent?: string };
}

/**
 * What is wrong with a name that another resource of the program sends to the same driver, or `undefined`: the driver
 * answers both with the same object, and each would think it its own.
 *
 * @param kind What the resources are, in words.
 */
export function senderProblem(
  ofRun: RunOwnership,
  kind: string,
  { driver, name, resource: { logicalName, parent } }: Sender,
): string | undefined {
  if (name === undefined || containsUnknown([name, parent])) return undefined;
  const other = ofRun.otherSender({ driver, ids: [[name]] }, describeResource(logicalName, parent));
  if (other === undefined) return undefined;
  const to = isUnknown(driver.driverName)
    ? `the driver at ${describeDriver(driver)}`
    : `driver ${driver.driverName}`;
  return `${JSON.stringify(name)} is sent to ${to} by the ${kind} ${other} too: give one of them another name (where that one was renamed, the new one)`;
}
