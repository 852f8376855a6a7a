/** A type of inputs. One without any of these takes every value. */
export interface ValueType {
  readonly type?: string;
  readonly items?: ValueType;
  readonly additionalProperties?: ValueType;
  readonly properties?: Readonly<Record<string, ValueType>>;
  readonly required?: readonly string[];
  /** Types, as Pulumi knows them, of which a resource is taken. */
  readonly resource?: readonly string[];
  /** What of the resource is asked for, where that is not all of it. */
  readonly parts?: readonly string[];
  /** Set by the package alone. */
  readonly isInternal?: boolean;
}

/** A type with properties. */
export type ObjectType = Required<Pick<ValueType, "properties" | "required">>;

/** The arguments of a class or a function. */
export interface DescribedClass extends ObjectType {
  /** Names that a specification, or another class, has for what an argument is. */
  readonly otherNames?: Readonly<Record<string, string>>;
}

/** The arguments of a module's classes and functions, by their names. */
export type DescribedArguments = Readonly<Record<string, DescribedClass>>;

/** The descriptions, with names that one of the classes is often given an argument under. */
export function withOtherNames(
  types: DescribedArguments,
  className: string,
  otherNames: Readonly<Record<string, string>>,
): DescribedArguments {
  const described = types[className];
  if (described === undefined) throw new Error(`there is no description of ${className}`);
  return { ...types, [className]: { ...described, otherNames } };
}

/** The descriptions, with an argument that one of the classes takes and ignores, and tells nobody of. */
export function withIgnored(
  types: DescribedArguments,
  className: string,
  argument: string,
): DescribedArguments {
  const described = types[className];
  if (described === undefined) throw new Error(`there is no description of ${className}`);
  const properties = { ...described.properties, [argument]: { isInternal: true } };
  return { ...types, [className]: { ...described, properties } };
}

/** What is wrong with an input. */
export interface InputProblem {
  readonly property: string;
  readonly reason: string;
}
