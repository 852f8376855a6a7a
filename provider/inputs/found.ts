import * as pulumi from "@pulumi/pulumi";
import { dynamicPrefix } from "../dynamic/type-token";
import { isRecord } from "../dynamic/values";

/** A value as a message names it, which tells nothing of what is in it. */
export function found(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (isOpen(value)) return "an output";
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a map";
  if (isRecord(value)) return foundResource(value) ?? "an asset or an archive";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** True for what a program hands on before it is known. */
export function isOpen(given: unknown): boolean {
  return pulumi.Output.isInstance(given) || given instanceof Promise;
}

/** True for a map of the program, which an asset, an archive or a resource is not. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    !isOpen(value) &&
    !(pulumi.runtime.specialSigKey in value) &&
    typeOfResource(value) === undefined
  );
}

/** Type of a resource, as Pulumi knows it; `undefined` for what is none. */
export function typeOfResource(value: unknown): string | undefined {
  if (isOpen(value) || !pulumi.Resource.isInstance(value)) return undefined;
  const type: unknown = Reflect.get(value, "__pulumiType");
  return typeof type === "string" ? type : "unknown";
}

/** A class of this package as a program writes it; another one's type as Pulumi has it. */
export function className(token: string): string {
  const own = token.startsWith(dynamicPrefix) ? token.slice(dynamicPrefix.length) : token;
  return own.startsWith("cosi:") ? own.replaceAll(":", ".") : token;
}

function foundResource(value: unknown): string | undefined {
  const type = typeOfResource(value);
  return type === undefined ? undefined : `a resource (${className(type)})`;
}
