import { resourceTypes } from "../../policy/resources/types";
import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState, PlannedStep } from "./preview";

/** Resources that stand for data at a driver, of programs in every language. */
const dataTypes: readonly string[] = [...resourceTypes.bucket, ...resourceTypes.deployment];

/** Resources that stand for an account at a driver. */
const accessTypes: readonly string[] = [...resourceTypes.bucketAccess, ...resourceTypes.deploymentAccess];

/** True for a step of a bucket or a deployment. */
export function isData({ type }: PlannedStep): boolean {
  return dataTypes.includes(type);
}

/** True for a step of an account. */
export function isAccess({ type }: PlannedStep): boolean {
  return accessTypes.includes(type);
}

/** The resource in words: `Bucket photos`; of a component, the component's own name is in its URN too. */
export function describeStep({ type, name }: PlannedStep): string {
  return `${type.split(":").at(-1) ?? type} ${name}`;
}

/** What a driver makes: `bucket`, `deployment`. */
export function nounOf({ type }: PlannedStep): string {
  return type.includes("Deployment") ? "deployment" : "bucket";
}

/** A text among the properties of a resource, by the first of these names that it has. */
export function textOf(state: PlannedState | undefined, ...names: readonly string[]): string | undefined {
  for (const from of [state?.outputs, state?.inputs]) {
    for (const name of names) {
      const value = from?.[name];
      if (typeof value === "string" && value !== "") return value;
    }
  }
  return undefined;
}

/** Name of the driver of a resource; where the preview does not know it, what it is called is told at `up`. */
export function driverOf(state: PlannedState | undefined): string {
  const driver = state?.outputs["driver"] ?? state?.inputs["driver"];
  const name = isRecord(driver) ? driver["driverName"] : undefined;
  return typeof name === "string" && !isUnknownText(name) ? name : "a driver whose name is told at up";
}

/** True where a contract has buckets come with their account. */
export function comesWithAccount(state: PlannedState | undefined): boolean {
  const driver = state?.inputs["driver"];
  return isRecord(driver) && driver["contract"] === "cosi-2020-02";
}

/** How a preview writes what it does not know. */
const unknownTexts = ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "[unknown]", ""];

export function isUnknownText(text: string): boolean {
  return unknownTexts.includes(text);
}

/** `<namespace>/<name>` of the Secret that an account's credentials go into; `undefined` where they are outputs alone. */
export function secretOf(state: PlannedState | undefined): string | undefined {
  const objects = state?.inputs["objects"];
  if (!isRecord(objects)) return undefined;
  const { secretName, access, claim } = objects;
  const place = isRecord(access) ? access : claim;
  const namespace = isRecord(place) ? place["namespace"] : undefined;
  if (typeof secretName !== "string") return undefined;
  return `${typeof namespace === "string" ? namespace : "(namespace told at up)"}/${secretName}`;
}

/** Why a resource goes, in words. */
export function reasonOf({ op, replaceReasons }: PlannedStep): string {
  if (op === "delete") return "it is not in the program any more";
  const named = replaceReasons.filter((reason) => reason !== "__provider");
  return named.length === 0 ? "what it belongs to is replaced" : `changed: ${named.join(", ")}`;
}
