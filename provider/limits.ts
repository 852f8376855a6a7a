/** Size limits of the contract in UTF-8 bytes. Source: COSI specification, Size Limits. */
export const maximumStringBytes = 128;
export const maximumMapBytes = 4096;

/** What is wrong with the size of a string field, or `undefined`. */
export function stringSizeProblem(value: string): string | undefined {
  const bytes = Buffer.byteLength(value);
  if (bytes <= maximumStringBytes) return undefined;
  return `has ${bytes} bytes, and the contract allows ${maximumStringBytes}`;
}

/** What is wrong with the size of a map field, all keys and values together, or `undefined`. */
export function mapSizeProblem(map: Readonly<Record<string, string>>): string | undefined {
  const bytes = Object.entries(map).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= maximumMapBytes) return undefined;
  return `has ${bytes} bytes in its keys and values, and the contract allows ${maximumMapBytes}`;
}
