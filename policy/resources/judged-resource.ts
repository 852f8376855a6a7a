import type { ResourceValidationArgs } from "@pulumi/policy";
import { kubernetesObjectOf } from "./kubernetes-object";
import type { Places } from "./place-types";
import { placesOf } from "./places";
import type { Properties } from "./properties";

/** A resource of a program, as rules look at it. */
export interface JudgedResource {
  /** Type token, `pulumi-nodejs:dynamic/cosi:Bucket`. */
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  /** Name of the stack. */
  readonly stack: string;
  readonly stackTags: ReadonlyMap<string, string>;
  readonly properties: Properties;
  /** Where it says what rules ask for; `undefined` for one that is nothing of this package's, nor of an API model. */
  readonly places: Places | undefined;
}

/** What a policy is told of a resource. */
export type ValidatedResource = Pick<ResourceValidationArgs, "type" | "name" | "urn" | "props" | "stackTags">;

/** Reads what a policy is told of a resource. */
export function judgedResource({ type, name, urn, props, stackTags }: ValidatedResource): JudgedResource {
  const [stackPart = "", , types = ""] = urn.split("::");
  const properties: Properties = props;
  return {
    type,
    name,
    // A policy is not told the stack but in the URN of its resources.
    stack: stackPart.slice(stackPart.lastIndexOf(":") + 1),
    stackTags,
    properties,
    places: placesOf(type, kubernetesObjectOf(type, types.split("$").slice(0, -1), properties)),
  };
}

/** The resource in words, for messages: `Bucket photos`. */
export function describe({ type, name }: Pick<JudgedResource, "type" | "name">): string {
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name}`;
}
