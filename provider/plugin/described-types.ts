import type { ObjectType, ValueType } from "../inputs/described";
import schema from "./schema.json";

/** A type as the schema has it: one of the plain ones, or a reference to one with a name. */
interface SchemaType {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: SchemaType;
  readonly additionalProperties?: SchemaType;
}

/** A type with a name: one with properties, or an enumeration of texts. */
interface NamedType extends SchemaType {
  readonly properties?: Readonly<Record<string, SchemaType>>;
  readonly required?: readonly string[];
}

interface DescribedResource {
  readonly inputProperties: Readonly<Record<string, SchemaType>>;
  readonly requiredInputs: readonly string[];
}

const types: Readonly<Record<string, NamedType>> = schema.types;
const resources: Readonly<Record<string, DescribedResource>> = schema.resources;

/** The inputs of a resource. @param type `Bucket`. @throws Error for one that the schema does not have. */
export function inputsOfResource(type: string): ObjectType {
  const found = resources[`cosi:index:${type}`];
  if (found === undefined) throw new Error(`the schema has no resource ${type}`);
  return { properties: inPlace(found.inputProperties), required: found.requiredInputs };
}

/** With what references lead to in their place; a type of another schema takes any value. */
function resolved({ $ref, ...own }: NamedType): ValueType {
  if ($ref !== undefined) {
    const named = types[$ref.replace(/^#\/types\//, "")];
    return named === undefined ? {} : resolved(named);
  }
  const { type, items, additionalProperties, properties, required } = own;
  return {
    ...(type === undefined ? {} : { type }),
    ...(items === undefined ? {} : { items: resolved(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: resolved(additionalProperties) }),
    ...(properties === undefined ? {} : { properties: inPlace(properties), required: required ?? [] }),
  };
}

function inPlace(properties: Readonly<Record<string, SchemaType>>): Record<string, ValueType> {
  return Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, resolved(type)]));
}
