import { resourceTypes } from "../../policy/resources/types";
import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState, PlannedStep } from "./preview";
import { isHidden, isNotKnownYet, readable, readableText } from "./readings";

/** Resources that stand for data at a driver, of programs in every language. */
const dataTypes: readonly string[] = [...resourceTypes.bucket, ...resourceTypes.deployment];

/** Resources that stand for an account at a driver. */
const accessTypes: readonly string[] = [...resourceTypes.bucketAccess, ...resourceTypes.deploymentAccess];

/** True for the type of a bucket or a deployment. */
export function isDataType(type: string): boolean {
  return dataTypes.includes(type);
}

/** True for a step of a bucket or a deployment. */
export function isData({ type }: PlannedStep): boolean {
  return isDataType(type);
}

/** True for the type of an account. */
export function isAccessType(type: string): boolean {
  return accessTypes.includes(type);
}

/** True for a step of an account. */
export function isAccess({ type }: PlannedStep): boolean {
  return isAccessType(type);
}

/** Type of the resource that a URN names. */
export function typeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The resource in words: `Bucket photos`; of a component, the component's own name is in its URN too. */
export function describeStep({ type, name }: PlannedStep): string {
  return `${type.split(":").at(-1) ?? type} ${name}`;
}

/** What a driver makes: `bucket`, `deployment`. */
export function nounOf({ type }: PlannedStep): string {
  return type.includes("Deployment") ? "deployment" : "bucket";
}

/** The bucket or deployment by the driver's id, or by the name that was sent. */
export function idOfData({ before, name }: Pick<PlannedStep, "before" | "name">): string {
  return (
    readableText(before, "bucketId", "deploymentId", "existingBucketId", "existingDeploymentId", "name") ??
    name
  );
}

/** Name of the driver of a resource; where the preview does not show it, words that say so. */
export function driverOf(state: PlannedState | undefined): string {
  const driver = state?.outputs["driver"] ?? state?.inputs["driver"];
  const name = isRecord(driver) ? driver["driverName"] : undefined;
  const isSecret = [driver, name].some((value) => isHidden(value) && !isNotKnownYet(value));
  return readable(name) ?? (isSecret ? "a driver whose name is hidden" : "a driver whose name is told at up");
}

/** True where a contract has buckets come with their account. */
export function comesWithAccount(state: PlannedState | undefined): boolean {
  const driver = state?.inputs["driver"];
  return isRecord(driver) && driver["contract"] === "cosi-2020-02";
}

/** Why a resource goes, in words. */
export function reasonOf({ op, replaceReasons }: PlannedStep): string {
  if (op === "delete") return "it is not in the program any more";
  const named = replaceReasons.filter((reason) => reason !== "__provider");
  return named.length === 0 ? "what it belongs to is replaced" : `changed: ${named.join(", ")}`;
}
