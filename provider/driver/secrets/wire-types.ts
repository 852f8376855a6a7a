import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/**
 * Makes sure that every field of a message has its own wire type on the wire. Two readers of one message may differ over
 * a field that has not: one skips it, the other takes for its content what comes behind it, which may be a secret.
 *
 * @throws Error if a field has another wire type, or the bytes are no message.
 */
export function requireWireTypes(message: DescMessage, bytes: Uint8Array): void {
  const fields = new Map(message.fields.map((field) => [field.number, field]));
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const field = fields.get(number);
    if (field === undefined) {
      reader.skip(type, number);
      continue;
    }
    if (!wireTypesOf(field).includes(type)) {
      throw new Error(`${message.typeName}.${field.name} has the wire type ${type}`);
    }
    if (field.fieldKind === "map") requireMapEntry(field, reader.bytes());
    else if (field.message !== undefined && type === WireType.LengthDelimited) {
      requireWireTypes(field.message, reader.bytes());
    } else reader.skip(type, number);
  }
}

function requireMapEntry(field: DescField & { fieldKind: "map" }, bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const own = number === 1 ? wireTypeOf(field.mapKey) : number === 2 ? valueType(field) : type;
    if (type !== own) throw new Error(`an entry of ${field.name} has the wire type ${type}`);
    if (number === 2 && field.message !== undefined) requireWireTypes(field.message, reader.bytes());
    else reader.skip(type, number);
  }
}

function valueType(field: DescField & { fieldKind: "map" }): WireType {
  if (field.mapKind === "scalar") return wireTypeOf(field.scalar);
  return field.mapKind === "enum" ? WireType.Varint : WireType.LengthDelimited;
}

function wireTypesOf(field: DescField): WireType[] {
  switch (field.fieldKind) {
    case "map":
      return [WireType.LengthDelimited];
    case "message":
      return [field.delimitedEncoding ? WireType.StartGroup : WireType.LengthDelimited];
    case "enum":
      return [WireType.Varint];
    case "scalar":
      return [wireTypeOf(field.scalar)];
    case "list":
      if (field.listKind === "message") {
        return [field.delimitedEncoding ? WireType.StartGroup : WireType.LengthDelimited];
      }
      // A list of numbers may be packed.
      return [
        WireType.LengthDelimited,
        field.listKind === "enum" ? WireType.Varint : wireTypeOf(field.scalar),
      ];
  }
}

function wireTypeOf(scalar: ScalarType): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
