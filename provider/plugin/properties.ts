import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { isRecord } from "../dynamic/values";

/** Properties of a resource as they travel between engine and plugin. */
export type Properties = Record<string, unknown>;

/** What the engine sent; secrets are marked. */
export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** What the engine gets; a property without a value is left out, which the message has no form for. */
export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(recordValue(properties));
}

/** @throws TypeError for what is no property value: it would be a fault of this package. */
function wireValue(value: unknown): JavaScriptValue {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) {
    return value as string | number | boolean | null;
  }
  if (Array.isArray(value)) return value.map((entry) => wireValue(entry ?? null));
  if (isRecord(value)) return recordValue(value);
  throw new TypeError(`a ${typeof value} is no property value`);
}

function recordValue(properties: Properties): Record<string, JavaScriptValue> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, wireValue(value)]),
  );
}
