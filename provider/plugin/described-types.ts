import schema from "./schema.json";

/** A type as the schema has it: one of the plain ones, or a reference to one with a name. */
export interface ValueType {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: ValueType;
  readonly additionalProperties?: ValueType;
}

/** A type with properties. */
export interface ObjectType {
  readonly properties: Readonly<Record<string, ValueType>>;
  readonly required: readonly string[];
}

/** A type with a name: one with properties, or an enumeration of texts. */
type NamedType = ValueType & Partial<ObjectType>;

interface DescribedResource {
  readonly inputProperties: Readonly<Record<string, ValueType>>;
  readonly requiredInputs: readonly string[];
}

const types: Readonly<Record<string, NamedType>> = schema.types;
const resources: Readonly<Record<string, DescribedResource>> = schema.resources;

/** The inputs of a resource. @param type `Bucket`. @throws Error for one that the schema does not have. */
export function inputsOfResource(type: string): ObjectType {
  const found = resources[`cosi:index:${type}`];
  if (found === undefined) throw new Error(`the schema has no resource ${type}`);
  return { properties: found.inputProperties, required: found.requiredInputs };
}

/** The type that a reference leads to; `undefined` for one that takes any value. */
export function namedType(reference: string): NamedType | undefined {
  return types[reference.replace(/^#\/types\//, "")];
}
