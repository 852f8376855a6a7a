/** The value of a field: text or bytes, an enum's number, or a map of texts. */
type Value = string | number | Uint8Array | Readonly<Record<string, string>>;

/**
 * A protobuf message, written by hand: it shares no code with the product, so that a number which is wrong in a .proto is
 * wrong here as well only if it was read wrongly twice. What is given is encoded, defaults included, but for
 * those in the entries of a map.
 *
 * @param fields Numbers and values in the order in which they come on the wire.
 */
export function message(...fields: readonly (readonly [number, Value])[]): Buffer {
  return Buffer.concat(fields.flatMap(([number, value]) => field(number, value)));
}

function field(number: number, value: Value): Buffer[] {
  if (typeof value === "number") return [Buffer.from([number << 3]), varint(value)];
  if (typeof value === "string" || value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    return [Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes];
  }
  return Object.entries(value).flatMap(([key, entry]) => {
    const present = [[1, key] as const, [2, entry] as const].filter(([, text]) => text !== "");
    return field(number, message(...present));
  });
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
