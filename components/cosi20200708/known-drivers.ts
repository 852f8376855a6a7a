import type { Driver } from "../../provider/driver-resource/driver";
import type { Installation } from "../kubernetes/installation";
import { ProblemError } from "../kubernetes/problem";

/** The drivers that the components of a program have named so far, by what these share on a cluster. */
const driversOf = new WeakMap<Installation, Set<Driver>>();

/** Makes a driver known to later components that are not told which one serves them. */
export function noteDriver(installation: Installation, driver: Driver): void {
  const known = driversOf.get(installation) ?? new Set();
  driversOf.set(installation, known.add(driver));
}

/**
 * The driver of a request whose class is known only by name: the one that the components so far have named.
 *
 * @throws ProblemError if they have named none, or several.
 */
export function onlyDriver(installation: Installation): Driver {
  const [driver, ...others] = driversOf.get(installation) ?? [];
  if (driver !== undefined && others.length === 0) return driver;
  const found = driver === undefined ? "have named none" : `have named ${others.length + 1}`;
  throw new ProblemError(
    `driver is missing, and the components of this program before it ${found}: give the Driver of the class's provisioner`,
  );
}
