/** The parts of an OpenAPI v3 schema that the definitions use. */
export interface Schema {
  readonly type: "object" | "string" | "boolean" | "array" | "integer";
  readonly description?: string;
  /** `null` is a value of it. @default false */
  readonly nullable?: boolean;
  readonly format?: "date-time" | "int64";
  readonly default?: string | boolean;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic";
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-validations"?: readonly Rule[];
}

/** A rule in CEL, which the API server keeps from version 1.25 on. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
}

export const text = (description: string, limits: Partial<Schema> = {}): Schema => ({
  type: "string",
  description,
  ...limits,
});

export const oneOf = (description: string, values: readonly string[], preset?: string): Schema =>
  text(description, { enum: values, ...(preset === undefined ? {} : { default: preset }) });

export const texts = (description: string, more: Partial<Schema> = {}): Schema => ({
  type: "array",
  description,
  items: { type: "string" },
  ...more,
});

export const textMap = (description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: { type: "string" },
});

export const object = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  more: Partial<Schema> = {},
): Schema => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
  ...more,
});
