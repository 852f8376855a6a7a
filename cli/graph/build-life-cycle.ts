import { edgesOf } from "./build-edges";
import { nodeOf } from "./build-nodes";
import { deleteSteps } from "./delete-order";
import type { LifeCycle, Node } from "./life-cycle";
import { membership } from "./membership";
import type { GraphResource } from "./resource";

/**
 * Makes the life cycle of a stack out of its resources. Steps are numbered from 1 without gaps: those in which only
 * something internal goes are left out.
 */
export function lifeCycleOf(resources: readonly GraphResource[]): LifeCycle {
  const members = membership(resources);
  const isWhole = resources.every(({ isKnown, type }) => isKnown || type.startsWith("pulumi:"));
  const staying = resources.filter(({ change }) => change !== "deleted");
  // Of a part of the resources no order can be told.
  const steps = isWhole ? deleteSteps(staying) : new Map<string, number>();
  const heads = new Set([...members.values()]);
  const nodes = withoutGaps([...heads].map((each) => nodeOf(each, steps)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return { nodes, edges: edgesOf(resources, members, byId) };
}

function withoutGaps(nodes: readonly Node[]): Node[] {
  const used = new Set(nodes.map(({ ending }) => ending?.step).filter((step) => step !== undefined));
  const order = [...used].sort((one, other) => one - other);
  return nodes.map((node) => {
    const { ending } = node;
    return ending === undefined
      ? node
      : { ...node, ending: { ...ending, step: order.indexOf(ending.step) + 1 } };
  });
}
