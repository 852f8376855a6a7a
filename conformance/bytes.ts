/** Longest string field, in bytes. Source: COSI specification, Size Limits. */
export const maximumStringBytes = 128;

/** Largest map field, in bytes of all keys and values. Source: COSI specification, Size Limits. */
export const maximumMapBytes = 4096;

/** Bytes of a map's keys and values in UTF-8. */
export function mapBytes(map: ReadonlyMap<string, string>): number {
  return [...map].reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
}

/** The map with one more entry, so that it has so many bytes. */
export function filledMap(map: ReadonlyMap<string, string>, key: string, bytes: number): Map<string, string> {
  const room = bytes - mapBytes(map) - Buffer.byteLength(key);
  return new Map([...map, [key, "x".repeat(Math.max(0, room))]]);
}
