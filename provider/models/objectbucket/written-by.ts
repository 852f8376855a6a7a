import type { KubernetesObject } from "../../kubernetes/object";
import { isOwnedByStack, resourceAnnotation, type StackMark } from "../../kubernetes/ownership";

/** True for an object that this very component of this stack has written, whoever has edited it since. */
export function isWrittenBy(
  object: KubernetesObject,
  component: StackMark & { readonly resource: string },
): boolean {
  const writer = object.metadata.annotations?.[resourceAnnotation];
  return isOwnedByStack(object, component) && writer === component.resource;
}
