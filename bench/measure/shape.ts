import type { ExportedResource } from "../../tools/local/stack";

/** How many resources of each kind a claim with its access has. */
export interface Shape {
  readonly components: number;
  readonly dynamic: number;
  readonly customResources: number;
  readonly secrets: number;
}

/** Kind of a resource, as the floor has it: our own Secrets are compared to those of `@pulumi/kubernetes`. */
function kindOf({ type, id }: ExportedResource): keyof Shape {
  if (type.endsWith(":Secret")) return "secrets";
  if (type.startsWith("kubernetes:")) return "customResources";
  return id === undefined ? "components" : "dynamic";
}

/** What the resources of one claim and its access are: those that a second claim adds. */
export function shapeOf(one: readonly ExportedResource[], two: readonly ExportedResource[]): Shape {
  const shape = { components: 0, dynamic: 0, customResources: 0, secrets: 0 };
  for (const resource of two) shape[kindOf(resource)] += 1;
  for (const resource of one) shape[kindOf(resource)] -= 1;
  return shape;
}

/** Of all kinds. */
export function sizeOf({ components, dynamic, customResources, secrets }: Shape): number {
  return components + dynamic + customResources + secrets;
}
