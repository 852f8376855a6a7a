import { warn } from "./warning";
import type { OwnedObject, RunOwnership } from "./run-ownership";
import { describeDriver } from "../driver/settings";

/** An entry of the state that goes. */
export interface GoingEntry {
  /** What it is, in words: `bucket`. */
  readonly kind: string;
  readonly name: string;
  /** There is no object, so nothing would be done to it. @default false */
  readonly nothingMade?: boolean | undefined;
  /** What the state calls the resource. */
  readonly entry: string;
  /** What would be done to the object: `deleted`. */
  readonly ended: string;
  /** What is said of an object that another resource has. */
  readonly text: string;
}

/**
 * True if the object of an entry is another resource's by now, which a warning tells: then the entry alone goes.
 *
 * @throws Error where nobody knows whether it is, so that the entry stays.
 */
export function isLeftToAnother(
  ofRun: RunOwnership,
  object: OwnedObject,
  { kind, name, nothingMade = false, entry, ended, text }: GoingEntry,
): boolean {
  const hold = ofRun.holdOn(object, entry);
  if (hold === "kept") warn(kind, name, text);
  if (hold === "kept" || hold === undefined || nothingMade) return hold === "kept";
  const { resource, elsewhere } = hold;
  const { driver } = object;
  const what = `the ${kind} ${name} of driver ${driver.driverName} was not ${ended}`;
  throw new Error(
    elsewhere === undefined
      ? `${what}: ${resource} of this program asks for it by its name, and was refused in this run. Next: fix what its error ` +
          `says, then run pulumi up again; if ${resource} is to have one of its own, give it another name.`
      : `${what}: in this run ${resource} was given one with the same id by a driver of the same name at ${elsewhere}; if that is ` +
          `also the driver at ${describeDriver(driver)}, it is the same one. Next: if it is, use pulumi state delete for this entry; ` +
          "if there are two, run pulumi up again.",
  );
}
