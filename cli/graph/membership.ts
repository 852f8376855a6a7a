import type { GraphResource } from "./resource";
import { isOfPackage, roleOf } from "./roles";

/** A resource that stands for itself, with those that are internal to it. */
export interface Members {
  readonly head: GraphResource;
  /** With the head. */
  readonly all: readonly GraphResource[];
}

/**
 * Folds what is internal into what it belongs to: the nearest component above it. An account is internal to its access,
 * and a node of its own where a claim has it. What is left are workloads: resources of others that need one of ours.
 *
 * @returns By URN of each resource that is in the picture.
 */
export function membership(resources: readonly GraphResource[]): ReadonlyMap<string, Members> {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const heads = new Map<string, GraphResource>();
  for (const resource of resources) {
    const head = headOf(resource, byUrn);
    if (head !== undefined) heads.set(resource.urn, head);
  }
  const ours = new Set(heads.keys());
  for (const resource of resources.filter((each) => isWorkload(each, ours))) {
    heads.set(resource.urn, resource);
  }
  const members = Map.groupBy(
    resources.filter(({ urn }) => heads.has(urn)),
    ({ urn }) => heads.get(urn),
  );
  const found = new Map<string, Members>();
  for (const [head, all] of members) {
    if (head === undefined) continue;
    const folded: Members = { head, all };
    for (const { urn } of all) found.set(urn, folded);
  }
  return found;
}

function headOf(
  resource: GraphResource,
  byUrn: ReadonlyMap<string, GraphResource>,
): GraphResource | undefined {
  const own = roleOf(resource.type);
  const above = componentAbove(resource, byUrn);
  if (resource.isLeft) return own === undefined ? undefined : resource;
  if (own === undefined) return above;
  const hasNoSecret =
    resource.type.endsWith("20200227:BucketBinding") &&
    typeof resource.state.inputs["secretName"] !== "string";
  if (hasNoSecret) return above;
  const isInAccess = own.kind === "account" && above !== undefined && roleOf(above.type)?.role === "access";
  return isInAccess ? above : resource;
}

function componentAbove(
  { parent }: GraphResource,
  byUrn: ReadonlyMap<string, GraphResource>,
): GraphResource | undefined {
  const above = parent === undefined ? undefined : byUrn.get(parent);
  if (above === undefined) return undefined;
  return roleOf(above.type) === undefined ? componentAbove(above, byUrn) : above;
}

function isWorkload({ urn, type, isComponent, needs }: GraphResource, ours: ReadonlySet<string>): boolean {
  if (isComponent || isOfPackage(type) || type.startsWith("pulumi:") || ours.has(urn)) return false;
  return needs.some((other) => ours.has(other));
}
