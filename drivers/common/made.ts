import { DriverError, type ErrorKind } from "./driver-error";

/** After these a caller takes it that nothing was made, by an earlier attempt either, and forgets the object. */
const NOTHING_MADE: readonly ErrorKind[] = ["invalid-argument", "out-of-range"];

/**
 * Does what a repeated call asks of an object that is there.
 *
 * @param object - what is there, for example `the bucket`.
 * @param attempt - what is done to it, for example `change its settings`.
 * @param explain - tells the kind of what the work throws, and the reason.
 * @throws DriverError `failed-precondition` where the work says that an argument is wrong.
 */
export async function toMade<T>(
  object: string,
  attempt: string,
  explain: (error: unknown, attempt: string) => DriverError,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { kind, message } = explain(error, attempt);
    if (!NOTHING_MADE.includes(kind)) throw error;
    throw new DriverError("failed-precondition", `${object} is there, and the driver ${message}`, {
      cause: error,
    });
  }
}
