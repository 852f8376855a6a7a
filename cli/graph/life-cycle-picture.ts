import type { Node } from "./life-cycle";
import type { Box, Form, Frame, Picture } from "./picture";
import type { FoldedLifeCycle } from "./shapes";
import { shortened, titleOf } from "./words";

/** Draws who binds what; each box tells what becomes of it in a destroy, and when. */
export function lifeCyclePicture({ nodes, edges, more }: FoldedLifeCycle): Picture {
  const ids = new Map(nodes.map(({ id }, index) => [id, `n${index + 1}`]));
  const frames = new Map<string, Frame>();
  const boxes = nodes.map((node): Box => {
    const title = frameTitle(node);
    const frame =
      title === undefined ? undefined : (frames.get(title) ?? { id: `g${frames.size + 1}`, title });
    if (frame !== undefined) frames.set(frame.title, frame);
    return {
      id: ids.get(node.id) ?? node.id,
      lines: linesOf(node, more.get(node.id)),
      form: formOf(node),
      change: node.change,
      losesData: [node.ending, node.endsNow].some((ending) => ending?.effect === "deletes-data"),
      frame: frame?.id,
    };
  });
  return {
    title: "Life cycle of the buckets of a stack",
    frames: [...frames.values()],
    boxes,
    arrows: edges.flatMap(({ from, to, label }) => {
      const [start, end] = [ids.get(from), ids.get(to)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end, label }];
    }),
  };
}

function frameTitle({ namespace, store }: Node): string | undefined {
  if (namespace !== undefined) return shortened(`namespace ${namespace}`);
  return store === undefined ? undefined : shortened(`at ${store}`);
}

function linesOf(node: Node, more: string | undefined): string[] {
  const { account, details, change, endsNow, ending } = node;
  return [
    titleOf(node),
    ...(more === undefined ? [] : [more]),
    ...(account === undefined ? [] : [shortened(`account ${account}`)]),
    ...details.map(shortened),
    ...(change === undefined ? [] : [change.toUpperCase()]),
    ...(endsNow === undefined ? [] : [`up: ${endsNow.text}`]),
    ...(ending === undefined ? [] : [`destroy ${ending.step}: ${ending.text}`]),
  ];
}

function formOf({ role, kind }: Node): Form {
  if (role === "workload") return "workload";
  return role === "bucket" || kind === "account" ? "store" : "object";
}
