import type { Edge, Node } from "./life-cycle";
import type { Members } from "./membership";
import type { GraphResource } from "./resource";
import { roles, type Role } from "./roles";

/** What one thing is to another. */
const labels: Readonly<Partial<Record<Role, Readonly<Partial<Record<Role, string>>>>>> = {
  driver: { class: "provisioner of", static: "serves", claim: "serves", bucket: "serves" },
  class: { static: "class of", claim: "class of", access: "class of" },
  static: { claim: "bound to", bucket: "stands for" },
  claim: { bucket: "makes", access: "accessed by", secret: "keys in" },
  bucket: { access: "accessed by", secret: "keys in" },
  access: { secret: "keys in" },
  secret: { secret: "copied to" },
};

/** Who needs whom, without what follows from the rest. */
export function edgesOf(
  resources: readonly GraphResource[],
  members: ReadonlyMap<string, Members>,
  nodes: ReadonlyMap<string, Node>,
): Edge[] {
  const sources = new Map<string, Set<string>>();
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const nodeOf = (urn: string): Node | undefined => nodes.get(members.get(urn)?.head.urn ?? "");
  for (const { urn, needs } of resources) {
    const to = nodeOf(urn);
    if (to === undefined) continue;
    const found = sources.get(to.id) ?? new Set();
    sources.set(to.id, found);
    const all = to.role === "workload" ? needs.flatMap((need) => [need, ...secretsBehind(need, to)]) : needs;
    for (const from of all.map(nodeOf)) if (from !== undefined && isBefore(from, to)) found.add(from.id);
  }

  /** What waits for a binding at the end of an `up` waits for the Secrets that are bound by it. */
  function secretsBehind(urn: string, workload: Node): readonly string[] {
    const needs = byUrn.get(urn)?.needs ?? [];
    if (nodeOf(urn)?.role !== "claim" && nodeOf(urn)?.role !== "access") return [];
    return needs.filter((need) => {
      const node = nodeOf(need);
      return node?.role === "secret" && node.namespace === workload.namespace;
    });
  }

  const roleOf = (id: string): Role | undefined => nodes.get(id)?.role;
  for (const [to, from] of sources) {
    const given = new Set([...from].map(roleOf));
    // What has a claim is had by the claim, and keys are had by their access: the bucket behind is none of its own.
    const isBehind =
      (roleOf(to) === "access" && given.has("claim")) || (roleOf(to) === "secret" && given.has("access"));
    if (isBehind) sources.set(to, new Set([...from].filter((id) => roleOf(id) !== "bucket")));
  }
  return [...sources].flatMap(([to, from]) =>
    withoutImplied(from, sources).flatMap((id) => {
      const label = labelOf(nodes.get(id), nodes.get(to));
      return label === undefined ? [] : [{ from: id, to, label }];
    }),
  );
}

/** Bindings at the end of an `up` make a claim need its Secret: that is no step of a picture that goes one way. */
function isBefore(from: Node, to: Node): boolean {
  if (from.role === "secret" && to.role === "secret") return from.id !== to.id;
  return roles.indexOf(from.role) < roles.indexOf(to.role);
}

function withoutImplied(
  from: ReadonlySet<string>,
  sources: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const implied = new Set<string>();
  const follow = (id: string): void => {
    for (const further of sources.get(id) ?? []) {
      if (implied.has(further)) continue;
      implied.add(further);
      follow(further);
    }
  };
  for (const id of from) follow(id);
  return [...from].filter((id) => !implied.has(id));
}

/** `undefined` for what is no word of the life cycle: an access needs its driver only where the class is not known. */
function labelOf(from: Node | undefined, to: Node | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  return to.role === "workload" ? "used by" : labels[from.role]?.[to.role];
}
