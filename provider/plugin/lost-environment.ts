import type { DriverReference } from "../driver-resource/reference";
import { isRecord } from "../dynamic/values";
import { driversOfRun } from "../run/drivers";
import { warn } from "../run/warning";
import type { ResourceKind } from "./kind";
import { isEmptyMap } from "./lost-parts";
import type { Properties } from "./properties";

/**
 * Warns of a resource whose state has lost the environment of its driver, and gets it now: a driver that was started without
 * it may have led to another store. Both without marks, under the provider's names.
 */
export function warnOfLostEnvironment(
  { type }: ResourceKind,
  name: string,
  olds: Properties,
  news: Properties,
): void {
  const { driver } = news;
  if (!hasLostEnvironment(olds["driver"]) || !isRecord(driver)) return;
  const { environment } = driver;
  if (!isRecord(environment) || isEmptyMap(environment)) return;
  warn(
    type,
    name,
    "an earlier version of pulumi-cosi lost the environment of its Driver and started the driver with only that " +
      "of pulumi, which may lead to another store. This run records the right one. Next: check whether what was made is " +
      "in the store that the Driver leads to. If it is not, what has its name there is somebody else's, and would be deleted in its " +
      "place: take the resource out of the state first (pulumi state delete).",
  );
}

/**
 * Refuses a delete that would make calls by a driver whose environment is lost. An `up` knows it from the Driver.
 *
 * @param outputs Those of the state, without marks.
 * @throws Error
 */
export function refuseLostEnvironment(kind: ResourceKind, id: string, outputs: Properties): void {
  const { driver } = outputs;
  if (!hasLostEnvironment(driver) || kind.endedByDelete(outputs) === undefined) return;
  const { environment } = driversOfRun.current(driver);
  if (!isEmptyMap(environment)) return;
  throw new Error(
    `the state of the cosi:${kind.type} ${id} has lost the environment of its Driver through an earlier version of pulumi-cosi, ` +
      "and a driver started without it may lead to another store; nothing was sent. Next: run pulumi up with the resource " +
      "still in the program, which repairs the state, then run this again.",
  );
}

/** A Driver hands on no empty environment. */
function hasLostEnvironment(driver: unknown): driver is DriverReference {
  return isRecord(driver) && isEmptyMap(driver["environment"]);
}
