import type { GraphResource } from "./resource";

/**
 * When a destroy deletes each resource: the first step is 1, and those of one step are deleted side by side.
 *
 * Pulumi's engine (`ScheduleDeletes` of its step generator) puts every resource as late as it may be: before all that it
 * needs, hence by the longest way to a resource that needs nothing. Each step waits for the whole one before it.
 *
 * @returns Steps by URN.
 */
export function deleteSteps(resources: readonly GraphResource[]): ReadonlyMap<string, number> {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const depths = new Map<string, number>();
  const depthOf = (urn: string): number => {
    const known = depths.get(urn);
    if (known !== undefined) return known;
    // No state has a circle; one that was edited by hand is not to end in an endless loop.
    depths.set(urn, 0);
    const needs = (byUrn.get(urn)?.needs ?? []).filter((other) => byUrn.has(other));
    const depth = Math.max(-1, ...needs.map(depthOf)) + 1;
    depths.set(urn, depth);
    return depth;
  };
  const all = resources.map(({ urn }) => [urn, depthOf(urn)] as const);
  const deepest = all.reduce((most, [, depth]) => Math.max(most, depth), 0);
  return new Map(all.map(([urn, depth]) => [urn, deepest - depth + 1]));
}
