import { isDriverName, sameDriverName } from "../../provider/driver/connect/driver-name";
import { ProblemError } from "../kubernetes/problem";

/** OS1-009, DEP-007: the form of a driver's name. */
export function requireDriverName(name: string): void {
  if (isDriverName(name)) return;
  throw new ProblemError(
    `driverName is ${JSON.stringify(name)}: give 1 to 63 letters, digits, "-" and ".", with a letter or digit at both ends`,
  );
}

/** A class names the driver that it was given. @returns The name as the user wrote it. */
export function classDriverName(given: string | undefined, reported: string): string {
  if (given === undefined || sameDriverName(given, reported)) return given ?? reported;
  throw new ProblemError(
    `driverName is ${JSON.stringify(given)}, and the driver calls itself ${JSON.stringify(reported)}: give that, or leave it out`,
  );
}

/**
 * OS1-014: a class for one driver means nothing to another.
 *
 * @param words The argument that gives the class, and what it is to access.
 */
export function requireSameDriver(
  ofClass: string,
  ofBucket: string,
  words: { readonly accessClass: string; readonly bucket: string },
): void {
  if (sameDriverName(ofClass, ofBucket)) return;
  throw new ProblemError(
    `the ${words.accessClass} is for the driver ${JSON.stringify(ofClass)}, and the ${words.bucket} belongs to ` +
      `${JSON.stringify(ofBucket)}: give a class of the ${words.bucket}'s driver`,
  );
}
