import type { DriverReference } from "../driver-resource/driver-reference";
import { describeResource } from "../dynamic/kept-inputs";
import { containsUnknown } from "../dynamic/values";
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
  kind: "bucket" | "access",
  { driver, name, resource: { logicalName, parent } }: Sender,
): string | undefined {
  if (name === undefined || containsUnknown([driver.seed, name, parent])) return undefined;
  const other = ofRun.otherSender(driver, [name], describeResource(logicalName, parent));
  if (other === undefined) return undefined;
  return `${JSON.stringify(name)} is sent to driver ${driver.driverName} by the ${kind} ${other} too: give one of them another name`;
}
