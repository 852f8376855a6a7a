import { isSecretOutput, plain, sameValue, withoutNulls } from "../dynamic/values";
import type { InputProblem, ObjectType } from "../inputs/described";
import { isMap } from "../inputs/found";
import { isLeftOut, propertyProblems, way } from "../inputs/value-problems";
import type { ResourceKind } from "./kind";
import type { Properties } from "./properties";
import { referenceProblems } from "./references";
import { inputsOfResource } from "./described-types";

/**
 * What is wrong with the program's inputs by the schema: names that there are none of, values of a wrong type, and what is
 * missing. A program without types has nobody else who says so, and the provider would leave an input out that it does not
 * know, or stop at a value that it does not expect.
 *
 * @param olds The inputs in the state: what the option `ignoreChanges` has put among the program's is left alone.
 */
export function inputProblems(kind: ResourceKind, olds: Properties, news: Properties): InputProblem[] {
  const { type, references, otherNames, ownInputs } = kind;
  const inputs = inputsOfResource(type);
  const { required } = inputs;
  const names = Object.keys(inputs.properties);
  const isKept = (name: string): boolean =>
    (name.startsWith("__") || ownInputs.includes(name)) && sameValue(plain(olds[name]), plain(news[name]));
  const unknownNames = Object.keys(news)
    .filter((name) => !names.includes(name) && !isLeftOut(news[name]) && !isKept(name))
    .map((name) => ({
      property: name,
      reason: `is no input of a cosi:${type}: ${way(name, names, otherNames)}`,
    }));
  const ofReferences = Object.entries(references).flatMap(([name, reference]) =>
    required.includes(name) || !isLeftOut(news[name]) ? referenceProblems(name, news[name], reference) : [],
  );
  return [...unknownNames, ...ofReferences, ...propertyProblems(news, valuesOf(inputs, references))];
}

/** The inputs without what is `null` in one that has members: it counts as left out, as an input that is `null` does. */
export function withoutNullMembers({ type }: ResourceKind, inputs: Properties): Properties {
  const { properties } = inputsOfResource(type);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const hasMembers = properties[name]?.properties !== undefined;
      return [name, hasMembers ? withoutNullEntries(value) : value];
    }),
  );
}

function withoutNullEntries(value: unknown): unknown {
  if (isSecretOutput(value)) return { ...value, value: withoutNullEntries(value.value) };
  return isMap(value) ? withoutNulls(value) : value;
}

/** The inputs that are no references; those alone have a type in the schema. */
function valuesOf({ properties, required }: ObjectType, references: ResourceKind["references"]): ObjectType {
  const values = Object.entries(properties).filter(([name]) => !(name in references));
  return {
    properties: Object.fromEntries(values),
    required: required.filter((name) => !(name in references)),
  };
}
