import type { Edge, LifeCycle, Node } from "./life-cycle";

/** A life cycle in which what is alike stands once. */
export interface FoldedLifeCycle extends LifeCycle {
  /** What a node stands for beside itself, in words, by its id. */
  readonly more: ReadonlyMap<string, string>;
}

/** So many of one shape are shown as they are. */
const shownAlike = 3;

/** What belongs together: a claim with its bucket, accesses, Secrets and workloads. */
interface Family {
  readonly nodes: readonly Node[];
  readonly namespaces: readonly string[];
  /** Further ones in the same namespaces. */
  readonly alike: number;
}

/** Folds families of the same shape: first those of one namespace, then those that every namespace has. */
export function foldAlike(cycle: LifeCycle): FoldedLifeCycle {
  const inNamespace = foldBy(familiesOf(cycle), cycle, (name) => name).map(({ first, others }) => ({
    ...first,
    alike: others,
  }));
  const folded = foldBy(inNamespace, cycle, () => "");
  const more = new Map<string, string>();
  for (const { first, others } of folded) {
    const words = [
      ...(first.alike > 0 ? [`${first.alike} more like it`] : []),
      ...(others > 0 ? [`${others} more namespaces with the same`] : []),
    ];
    if (words.length === 0) continue;
    for (const { id } of first.nodes) more.set(id, `… ${words.join(", ")}`);
  }
  const shown = new Set(folded.flatMap(({ first }) => first.nodes.map(({ id }) => id)));
  const nodes = cycle.nodes.filter(({ id, role }) => shown.has(id) || isShared(role));
  const ids = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: cycle.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)), more };
}

function isShared(role: Node["role"]): boolean {
  return role === "driver" || role === "class";
}

/** Each family once; a workload that several need is a family of its own. */
function familiesOf({ nodes, edges }: LifeCycle): Family[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<string, string>();
  const rootOf = (id: string): string => {
    const above = parts.get(id) ?? id;
    return above === id ? id : rootOf(above);
  };
  const joinable = edges.filter(({ from }) => !isShared(byId.get(from)?.role ?? "driver"));
  const isWorkload = ({ to }: Edge): boolean => byId.get(to)?.role === "workload";
  for (const { from, to } of joinable.filter((edge) => !isWorkload(edge)))
    parts.set(rootOf(to), rootOf(from));
  const ofWorkloads = Map.groupBy(joinable.filter(isWorkload), ({ to }) => to);
  for (const [workload, uses] of ofWorkloads) {
    const [only, ...others] = new Set(uses.map(({ from }) => rootOf(from)));
    if (only !== undefined && others.length === 0) parts.set(workload, only);
  }
  const families = Map.groupBy(
    nodes.filter(({ role }) => !isShared(role)),
    ({ id }) => rootOf(id),
  );
  return [...families.values()].map((all) => ({
    nodes: all,
    namespaces: [...new Set(all.map(({ namespace }) => namespace).filter((each) => each !== undefined))],
    alike: 0,
  }));
}

/** @param place How a namespace counts: two that count the same are alike. */
function foldBy(
  families: readonly Family[],
  cycle: LifeCycle,
  place: (namespace: string) => string,
): { first: Family; others: number }[] {
  const neighbours = neighboursOf(cycle);
  const shapes = Map.groupBy(families, (family) => shapeOf(family, neighbours, place));
  return [...shapes.values()].flatMap((alike) => {
    const [first, ...others] = alike;
    if (first === undefined) return [];
    return alike.length > shownAlike
      ? [{ first, others: others.length }]
      : alike.map((family) => ({ first: family, others: 0 }));
  });
}

interface Neighbours {
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

function neighboursOf({ edges }: LifeCycle): Neighbours {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) {
    before.set(to, [...(before.get(to) ?? []), from]);
    after.set(from, [...(after.get(from) ?? []), to]);
  }
  return { before, after };
}

/** A text that is equal for families that differ in names alone. */
function shapeOf(
  { nodes, alike }: Family,
  { before, after }: Neighbours,
  place: (namespace: string) => string,
): string {
  const inside = new Map(nodes.map((node) => [node.id, node]));
  const shapes = new Map<string, string>();
  const shape = (node: Node): string => {
    const known = shapes.get(node.id);
    if (known !== undefined) return known;
    const { role, kind, namespace, store, details, change, endsNow, ending } = node;
    const of = (ids: readonly string[] = []): string[] =>
      ids.map((id) => {
        const family = inside.get(id);
        return family === undefined ? id : shape(family);
      });
    const outside = (after.get(node.id) ?? []).filter((id) => !inside.has(id));
    const where = namespace === undefined ? store : place(namespace);
    const own = [role, kind, where, details, change, endsNow?.text, ending?.text, ending?.step];
    const text = JSON.stringify([own, of(before.get(node.id)).sort(), outside.toSorted()]);
    shapes.set(node.id, text);
    return text;
  };
  return JSON.stringify([alike, nodes.map(shape).sort()]);
}
