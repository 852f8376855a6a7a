import { endpointVariableOf, placeOf, type DriverPlace } from "../../provider/driver/settings";
import { canonical, isRecord, withoutNulls } from "../../provider/dynamic/values";
import { resourceTypes } from "../../policy/resources/types";
import type { PlannedStep } from "./preview";
import { holdsHidden, isHidden, knownProperties } from "./readings";

/** Drivers by the seeds of their Driver resources: where they are at the time of the up. */
export type CurrentDrivers = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const driverTypes: readonly string[] = resourceTypes.driver;

/**
 * Where the Driver resources lead from this change on. What the state has of a bucket that goes is what was so when it was
 * written.
 */
export function currentDrivers(steps: readonly PlannedStep[]): CurrentDrivers {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { type, before, after } of steps) {
    if (after === undefined) continue;
    const seed = before === undefined ? undefined : knownProperties(before)["seed"];
    const driver = driverTypes.includes(type) ? { ...after.inputs, seed } : after.inputs["driver"];
    if (isRecord(driver) && isReadable(driver["seed"])) found.set(driver["seed"], driver);
  }
  return found;
}

/**
 * Keys of an object at a driver, of which one is enough for it to be the same: the Driver resource, which may have moved, and
 * the place, under a Driver of another name. Both count as they do at up. What cannot be read makes no key.
 *
 * @param driver What a resource has of its driver.
 */
export function keysAtDriver(driver: unknown, id: unknown, current: CurrentDrivers): string[] {
  if (!isRecord(driver) || isHidden(driver) || !isReadable(id)) return [];
  const { seed } = driver;
  const moved = isReadable(seed) ? current.get(seed) : undefined;
  const places = [driver, ...(moved === undefined ? [] : [moved])].flatMap(placesOf);
  const marks = [...(isReadable(seed) ? [["seed", seed]] : []), ...places.map((place) => ["place", place])];
  return marks.map((mark) => canonical([mark, id]));
}

function placesOf(driver: Readonly<Record<string, unknown>>): string[] {
  const { endpoint, command, environment, contract } = withoutNulls(driver);
  if (holdsHidden([endpoint, command, environment])) return [];
  // What a Driver was given, as the provider has it.
  const place = { endpoint, command, environment, contract } as DriverPlace;
  // The environment of the review is not that of the up.
  const isFound = place.endpoint === undefined && place.command === undefined;
  return [isFound ? endpointVariableOf(place) : placeOf(place)];
}

function isReadable(text: unknown): text is string {
  return typeof text === "string" && text !== "" && !isHidden(text);
}
