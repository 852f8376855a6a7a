import * as pulumi from "@pulumi/pulumi";
import { isRecord, isUnknown } from "../dynamic/values";
import type { InputProblem, ObjectType, ValueType } from "../inputs/described";
import { isMap } from "../inputs/found";
import { isLeftOut, propertyProblems, withoutMark } from "../inputs/value-problems";
import { inputsOfResource } from "./described-types";
import { isEmptyMap, lostIn } from "./lost-parts";

/** What an input has to be that is another resource's output `reference`. */
export interface ReferenceType {
  /** Type of the other resource, as YAML has it. */
  readonly of: string;
  /** Those fields of it that are looked at; another version of the package may give more. */
  readonly fields: ObjectType;
  /** Fields that are references themselves. */
  readonly within: Readonly<Record<string, ReferenceType>>;
}

const text: ValueType = { type: "string" };
const map: ValueType = { additionalProperties: {} };

/** The reference of a Driver: what it was given, and what it is known by. */
export const driverReference: ReferenceType = {
  of: "cosi:Driver",
  fields: {
    properties: {
      ...inputsOfResource("Driver").properties,
      seed: text,
      ownerSeed: text,
      secretCommand: { type: "boolean" },
    },
    required: ["contract", "driverName", "seed"],
  },
  within: {},
};

/**
 * The reference of what a driver makes.
 *
 * @param of Its type, as YAML has it.
 * @param id Its output with the driver's id, which a create without a known outcome has not told.
 * @param info Its output with what clients need, which not every driver tells.
 */
export function madeReference(of: string, id: string, info: string): ReferenceType {
  return {
    of,
    fields: { properties: { name: text, [id]: text, [info]: map }, required: ["name"] },
    within: { driver: driverReference },
  };
}

/** What is wrong with an input that has to be a reference. */
export function referenceProblems(property: string, given: unknown, type: ReferenceType): InputProblem[] {
  const value = withoutMark(given);
  const give = `give the output reference of a ${type.of}`;
  if (isLeftOut(value)) return [{ property, reason: `is missing: ${give}` }];
  if (isUnknown(value)) return [];
  if (!isMap(value)) return [{ property, reason: `is no reference: ${give}` }];
  const lost = lostParts(property, value, type);
  if (lost.length > 0) return [{ property, reason: lossInWords(lost, type) }];
  const path = (name: string): string => `${property}.${name}`;
  const wrong = propertyProblems(value, type.fields, path);
  const inner = Object.entries(type.within).flatMap(([name, other]) =>
    referenceProblems(path(name), value[name], other),
  );
  const problems = [...wrong, ...inner];
  return problems.length === 0
    ? []
    : [{ property, reason: `is no reference, as ${inWords(problems)}. Next: ${give}, as it is` }];
}

/** Where a reference has lost something on its way, in those that it holds too. */
function lostParts(property: string, given: unknown, type: ReferenceType): string[] {
  const value = withoutMark(given);
  if (!isMap(value)) return [];
  if (isEmptyMap(value)) return [property];
  const inner = Object.entries(type.within).flatMap(([name, other]) =>
    lostParts(`${property}.${name}`, value[name], other),
  );
  return [...lostIn(property, value, type.fields), ...inner];
}

function lossInWords(lost: readonly string[], { of }: ReferenceType): string {
  const empty = lost.map((part) => `${part} is empty`).join(", ");
  return (
    `has lost its secret parts on the way (${empty}), as references written by an earlier version of pulumi-cosi ` +
    `do. Next: run pulumi up for the ${of}, without --target or --exclude and in its own stack first, and give its output ` +
    "reference, as it is"
  );
}

function inWords(problems: readonly InputProblem[]): string {
  return problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
}

/**
 * A driver of which nothing is known yet, as in the first preview of a program: SDKs make of an output that is unknown in
 * part one that is unknown altogether. It fails no check.
 */
export function unknownDriver(contract: string = pulumi.runtime.unknownValue): Record<string, unknown> {
  const unknown = pulumi.runtime.unknownValue;
  return {
    endpoint: unknown,
    command: unknown,
    environment: unknown,
    contract,
    largeFields: true,
    driverName: unknown,
    seed: unknown,
  };
}

/** True for what {@link unknownDriver} has made, after a check too, which puts in what the state knows. */
export function isUnknownDriver(driver: unknown): boolean {
  return isRecord(driver) && isUnknown(driver["endpoint"]) && isUnknown(driver["command"]);
}
