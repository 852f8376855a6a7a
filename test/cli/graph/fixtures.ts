import * as fs from "node:fs";
import * as path from "node:path";
import { lifeCycleOf } from "../../../cli/graph/build-life-cycle";
import type { LifeCycle, Node } from "../../../cli/graph/life-cycle";
import { readResources } from "../../../cli/graph/read-resources";

const folder = path.join(__dirname, "fixtures");

export const fixtures = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));

/** A state or a preview that Pulumi has written, without what no picture reads. */
export function fixture(name: string): string {
  return fs.readFileSync(path.join(folder, name), "utf8");
}

export function cycleOf(text: string): LifeCycle {
  return lifeCycleOf(readResources(text, "a test"));
}

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}/g;

/** `BucketClaim shop/photos`, with UIDs and the tail of a name left out. */
export function told({ kind, name, namespace }: Node): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`.replaceAll(uid, "<id>");
}

/** `<from> | <label> | <to>` for each, sorted. */
export function edgesOf({ nodes, edges }: LifeCycle): string[] {
  const names = new Map(nodes.map((node) => [node.id, told(node)]));
  return edges.map(({ from, to, label }) => [names.get(from), label, names.get(to)].join(" | ")).sort();
}

/** `<step> <what>: <what becomes of it>` for each, in the order of a destroy. */
export function stepsOf({ nodes }: LifeCycle): string[] {
  return nodes
    .flatMap((node) => (node.ending === undefined ? [] : [{ node, ...node.ending }]))
    .map(({ node, step, text }) => `${String(step).padStart(2)} ${told(node)}: ${text}`)
    .sort();
}
