import type { LifeCycle, Node } from "./life-cycle";
import type { Box, Picture } from "./picture";
import { fullTitleOf } from "./words";

/** So many of one step that end alike are named. */
const namedAlike = 3;

/**
 * Draws what a destroy does, step by step. Those of one step go side by side, and each step waits for the one before.
 *
 * @param all Name each.
 */
export function orderPicture({ nodes }: LifeCycle, all: boolean): Picture {
  const steps = Map.groupBy(
    nodes.filter(({ ending }) => ending !== undefined),
    ({ ending }) => ending?.step ?? 0,
  );
  const boxes = [...steps]
    .sort(([one], [other]) => one - other)
    .map(([step, ended]): Box => ({
      id: `s${step}`,
      lines: [`destroy, step ${step}`, ...linesOf(ended, all ? Infinity : namedAlike)],
      form: "object",
      change: undefined,
      losesData: ended.some(({ ending }) => ending?.effect === "deletes-data"),
      frame: undefined,
    }));
  return {
    title: "Order of a destroy",
    frames: [],
    boxes,
    arrows: boxes.slice(1).map(({ id }, index) => ({ from: boxes[index]?.id ?? id, to: id, label: "then" })),
  };
}

function linesOf(nodes: readonly Node[], most: number): string[] {
  const alike = Map.groupBy(nodes, ({ kind, ending }) => `${kind} ${ending?.text ?? ""}`);
  return [...alike.values()].flatMap((group) => {
    const shown = group.length > most ? group.slice(0, 1) : group;
    const lines = shown.map((node) => `${fullTitleOf(node)}: ${node.ending?.text ?? ""}`);
    const left = group.length - shown.length;
    return left === 0 ? lines : [...lines, `… ${left} more like it`];
  });
}
