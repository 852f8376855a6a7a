import { DriverError } from "../driver-error";

/** Longest string field in bytes of UTF-8 (specification, "Size Limits"). */
const MAX_STRING_BYTES = 128;

/** Largest map field in bytes of UTF-8, all keys and values together (same section). */
const MAX_MAP_BYTES = 4096;

/**
 * Checks a field that is REQUIRED.
 *
 * @throws DriverError `invalid-argument` if it is missing or too long.
 */
export function checkRequired(field: string, value: string): void {
  if (value === "") {
    throw new DriverError("invalid-argument", `${field} is required and was not given`);
  }
  checkSize(field, Buffer.byteLength(value), MAX_STRING_BYTES);
}

/**
 * Checks the size of a map field.
 *
 * @throws DriverError `invalid-argument` if it is too large.
 */
export function checkMapSize(field: string, map: ReadonlyMap<string, string>): void {
  const bytes = [...map].reduce(
    (sum, entry) => sum + Buffer.byteLength(entry[0]) + Buffer.byteLength(entry[1]),
    0,
  );
  checkSize(field, bytes, MAX_MAP_BYTES);
}

function checkSize(field: string, bytes: number, limit: number): void {
  if (bytes > limit) {
    throw new DriverError("invalid-argument", `${field} has ${bytes} bytes, ${limit} are allowed`);
  }
}
