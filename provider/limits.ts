/** Largest map field of the contract, in UTF-8 bytes of all keys and values. Source: COSI specification, Size Limits. */
const maximumMapBytes = 4096;

/** What is wrong with the size of a map field, all keys and values together, or `undefined`. */
export function mapSizeProblem(map: Readonly<Record<string, string>>): string | undefined {
  const bytes = Object.entries(map).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes <= maximumMapBytes) return undefined;
  return `has ${bytes} bytes in its keys and values, and the contract allows ${maximumMapBytes}`;
}
