/** A field as it stands on the wire. */
export interface WireField {
  readonly number: number;
  /** Content of a length-delimited field; `undefined` for one of another wire type. */
  readonly bytes: Buffer | undefined;
}

/**
 * Reads the fields of a message, strictly and without a schema: what a driver has told, by a reader that shares nothing
 * with the package's. Source: Protocol Buffers, Encoding.
 *
 * @returns `undefined` for bytes that are no message, and for groups, which no driver of today sends.
 */
export function readFields(message: Uint8Array): WireField[] | undefined {
  const bytes = Buffer.from(message);
  const fields: WireField[] = [];
  let position = 0;
  const varint = (): number | undefined => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes[position];
      if (byte === undefined) return undefined;
      position += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (position < bytes.length) {
    const tag = varint();
    if (tag === undefined || tag >= 2 ** 32 || tag < 8) return undefined;
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        if (varint() === undefined) return undefined;
        fields.push({ number, bytes: undefined });
        break;
      case 1:
      case 5:
        position += tag % 8 === 1 ? 8 : 4;
        fields.push({ number, bytes: undefined });
        break;
      case 2: {
        const length = varint();
        if (length === undefined || position + length > bytes.length) return undefined;
        fields.push({ number, bytes: bytes.subarray(position, position + length) });
        position += length;
        break;
      }
      default:
        return undefined;
    }
    if (position > bytes.length) return undefined;
  }
  return fields;
}

/** Content of the last length-delimited field of this number, which is the one that counts. */
export function lastBytes(fields: readonly WireField[], number: number): Buffer | undefined {
  return fields.findLast((field) => field.number === number && field.bytes !== undefined)?.bytes;
}

/** The id, or the name, that a reply or a request has in this field, byte for byte; empty if it has none. */
export function idIn(message: Uint8Array, number = 1): Buffer | undefined {
  const fields = readFields(message);
  return fields === undefined ? undefined : (lastBytes(fields, number) ?? Buffer.alloc(0));
}

/** The credentials in a reply to a grant, by entry and key; of equal ones the last. What cannot be read is left out. */
export function credentialsIn(message: Uint8Array): Map<string, Map<string, string>> {
  const entries = [...mapIn(message, 2)].map(([entry, details]): [string, Map<string, string>] => [
    entry,
    new Map([...mapIn(details, 1)].map(([key, value]) => [key, value.toString()])),
  ]);
  return new Map(entries);
}

function mapIn(message: Uint8Array, number: number): Map<string, Buffer> {
  const map = new Map<string, Buffer>();
  for (const field of readFields(message) ?? []) {
    if (field.number !== number || field.bytes === undefined) continue;
    const entry = readFields(field.bytes);
    if (entry === undefined) continue;
    const key = lastBytes(entry, 1) ?? Buffer.alloc(0);
    map.set(key.toString(), lastBytes(entry, 2) ?? Buffer.alloc(0));
  }
  return map;
}
