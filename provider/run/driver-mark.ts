import { driversOfRun } from "./drivers";
import { knownContract } from "../contracts/registry";
import type { DriverReference } from "../driver-resource/reference";
import { describeDriver, effectiveEndpoint, isPlaceKnown, placeOf } from "../driver/settings";
import { digest } from "../dynamic/digest";
import { isUnknown } from "../dynamic/values";

/** What tells a driver from others, short enough to be noted for each object of a run. What is not known is left out. */
export interface DriverMark {
  /** What it makes: a process may serve contracts of several kinds. */
  readonly kind: string;
  readonly seed?: string;
  /** Where the state has it, and where it is by now. */
  readonly places: readonly string[];
  /** Its own names, likewise, in lower case. */
  readonly names: readonly string[];
  /** A call tells its name, so that it is made to a driver of that name alone. */
  readonly isAsked: boolean;
  /** It is at a socket of this machine. */
  readonly isLocal: boolean;
  /** Where it is, for messages. */
  readonly address: string;
}

/** Most resources of a program have one of a few drivers. */
const marks = new Map<string, DriverMark>();

/** The mark of the driver that a resource has, or had. */
export function markOf(driver: DriverReference): DriverMark {
  const mark = newMarkOf(driver);
  const key = JSON.stringify(mark);
  const known = marks.get(key) ?? mark;
  marks.set(key, known);
  return known;
}

function newMarkOf(driver: DriverReference): DriverMark {
  const contract = knownContract(driver.contract);
  const now = driversOfRun.current(driver);
  const known = [driver, now];
  const places = known.filter(isPlaceKnown).map((settings) => digest(placeOf(settings)));
  const names = known.map(({ driverName }) => driverName).filter((name) => !isUnknown(name));
  return {
    kind: contract?.words.object ?? "",
    ...(isUnknown(driver.seed) ? {} : { seed: driver.seed }),
    places: [...new Set(places)],
    names: [...new Set(names.map((name) => (contract?.naming.ownName(name) ?? name).toLowerCase()))],
    isAsked: contract !== undefined && (contract.identify !== null || driver.identityMethod !== undefined),
    isLocal: effectiveEndpoint(now)?.startsWith("unix:") === true,
    address: describeDriver(now),
  };
}

/**
 * True for the same Driver resource, which may have moved, and for one place, under a Driver of another name. An equal name
 * does not tell: two stores may be served by drivers of one name. Another one does, of a driver that is asked for it.
 */
export function isSameDriver(one: DriverMark, other: DriverMark): boolean {
  if (one.kind !== other.kind) return false;
  if (one.seed !== undefined && one.seed === other.seed) return true;
  return haveCommon(one.places, other.places) && !isOtherName(one, other);
}

/**
 * True for drivers of one name at two places, which may be one driver: an address and a name of its host, say. Two sockets of
 * this machine are known to be two.
 */
export function maybeSameDriver(one: DriverMark, other: DriverMark): boolean {
  if (one.kind !== other.kind || (one.isLocal && other.isLocal)) return false;
  return haveCommon(one.names, other.names) && !isSameDriver(one, other);
}

function isOtherName(one: DriverMark, other: DriverMark): boolean {
  const areTold = one.isAsked && other.isAsked && one.names.length > 0 && other.names.length > 0;
  return areTold && !haveCommon(one.names, other.names);
}

function haveCommon(some: readonly string[], others: readonly string[]): boolean {
  return some.some((value) => others.includes(value));
}
