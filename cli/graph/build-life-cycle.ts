import { edgesOf } from "./build-edges";
import { nodeOf } from "./build-nodes";
import { deleteSteps } from "./delete-order";
import type { LifeCycle, Node } from "./life-cycle";
import { membership } from "./membership";
import type { GraphResource } from "./resource";
import { roles } from "./roles";

/**
 * Makes the life cycle of a stack out of its resources, in an order that is the same whenever the stack is. Steps are numbered from 1 without gaps: those in which only
 * something internal goes are left out.
 */
export function lifeCycleOf(resources: readonly GraphResource[]): LifeCycle {
  const members = membership(resources);
  const isWhole = resources.every(({ isKnown, type }) => isKnown || type.startsWith("pulumi:"));
  const staying = resources.filter(({ change }) => change !== "deleted");
  // Of a part of the resources no order can be told.
  const steps = isWhole ? deleteSteps(staying) : new Map<string, number>();
  const heads = new Set([...members.values()]);
  const going = {
    now: new Set(resources.filter(({ change }) => change === "deleted").map(({ urn }) => urn)),
    later: new Set(staying.map(({ urn }) => urn)),
  };
  const nodes = withoutGaps([...heads].map((each) => nodeOf(each, steps, going)).sort(inOrder));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const places = new Map(nodes.map(({ id }, index) => [id, index]));
  const place = (id: string): number => places.get(id) ?? 0;
  const edges = edgesOf(resources, members, byId).sort(
    (one, other) => place(one.to) - place(other.to) || place(one.from) - place(other.from),
  );
  return { nodes, edges };
}

const collator = new Intl.Collator("en", { numeric: true });

/** A state has its resources as they were done, which each `up` may do otherwise. */
function inOrder(one: Node, other: Node): number {
  return (
    roles.indexOf(one.role) - roles.indexOf(other.role) ||
    collator.compare(one.namespace ?? "", other.namespace ?? "") ||
    collator.compare(nameIn(one), nameIn(other)) ||
    collator.compare(one.id, other.id)
  );
}

/** The name in the program: one in the cluster or at a driver may have a random part. */
function nameIn({ id }: Node): string {
  return id.split("::").slice(3).join("::");
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
