import { Graph, layout } from "@dagrejs/dagre";
import type { Arrow, Box, Frame, Picture } from "./picture";
import { ranksOf, routeOf, type Extent, type Place } from "./routes";

/** A rectangle, by its corner at the top left, in pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture with its places. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (Box & { readonly area: Area })[];
  readonly frames: readonly (Frame & { readonly area: Area })[];
  readonly arrows: readonly (Arrow & { readonly points: readonly Point[]; readonly at: Point })[];
}

/** Sizes in pixels; that of a character is a monospaced one's at this size of text. */
export const metrics = {
  text: 12,
  line: 17,
  character: 7.3,
  /** Between text and border. */
  padding: 10,
  /** Above the boxes of a frame, for its title. */
  frameTitle: 22,
  margin: 24,
} as const;

/** Of the arrows: to the right, or down. */
export type Direction = "LR" | "TB";

/** Places boxes so that none overlaps another, and arrows around them. */
export function layoutOf({ frames, boxes, arrows }: Picture, direction: Direction): Layout {
  const graph = new Graph({ directed: true, compound: true, multigraph: true });
  graph.setGraph({
    rankdir: direction,
    nodesep: 2 * metrics.frameTitle,
    edgesep: 16,
    ranksep: direction === "LR" ? 80 : 64,
    marginx: metrics.margin,
    marginy: metrics.margin + metrics.frameTitle,
  });
  for (const { id } of frames) graph.setNode(id, { width: 0, height: 0 });
  for (const { id, lines, frame } of boxes) {
    graph.setNode(id, {
      width: Math.max(...lines.map(widthOf)) + 2 * metrics.padding,
      height: lines.length * metrics.line + 2 * metrics.padding,
    });
    if (frame !== undefined) graph.setParent(id, frame);
  }
  for (const [index, { from, to, label }] of arrows.entries()) {
    const size = { width: widthOf(label) + 8, height: metrics.line, labelpos: "c" } as const;
    graph.setEdge(from, to, size, `a${index}`);
  }
  layout(graph);
  // The library gives the middle of a node.
  const areaOf = (id: string): Area => {
    const { x, y, width, height } = graph.node(id);
    return { x: x - width / 2, y: y - height / 2, width, height };
  };
  const placed = boxes.map((box) => ({ ...box, area: areaOf(box.id) }));
  const framed = frames.map((frame) => {
    const { x, y, width, height } = areaOf(frame.id);
    const { frameTitle } = metrics;
    return { ...frame, area: { x, y: y - frameTitle / 2, width, height: height + frameTitle / 2 } };
  });
  const { extentOf, placeOf, pointOf } = axes(direction);
  // Titles of frames stand above boxes.
  const gapBefore = direction === "LR" ? 6 : metrics.frameTitle + 20;
  const ranks = ranksOf(
    placed.map(({ area }) => extentOf(area)),
    gapBefore,
  );
  return {
    boxes: placed,
    frames: framed,
    arrows: arrows.map((arrow, index) => {
      const { points, x, y, width, height } = graph.edge(arrow.from, arrow.to, `a${index}`);
      const half = (direction === "LR" ? width : height) / 2;
      const [from, to] = [arrow.from, arrow.to].map((id) => extentOf(areaOf(id)));
      if (from === undefined || to === undefined) throw new Error(`${arrow.label} has no ends`);
      const label = { ...placeOf({ x, y }), half };
      const route = routeOf(from, to, points.slice(1, -1).map(placeOf), label, ranks);
      return { ...arrow, points: route.map(pointOf), at: { x, y } };
    }),
    ...sizeOf([...placed, ...framed].map(({ area }) => area)),
  };
}

/** What is along and what is across, by the direction. */
function axes(direction: Direction): {
  extentOf: (area: Area) => Extent;
  placeOf: (point: Point) => Place;
  pointOf: (place: Place) => Point;
} {
  if (direction === "LR") {
    return {
      extentOf: ({ x, y, width, height }) => ({ begin: x, end: x + width, middle: y + height / 2 }),
      placeOf: ({ x, y }) => ({ along: x, across: y }),
      pointOf: ({ along, across }) => ({ x: along, y: across }),
    };
  }
  return {
    extentOf: ({ x, y, width, height }) => ({ begin: y, end: y + height, middle: x + width / 2 }),
    placeOf: ({ x, y }) => ({ along: y, across: x }),
    pointOf: ({ along, across }) => ({ x: across, y: along }),
  };
}

/** Width of a text in pixels; a character outside the alphabets of one column takes two. */
export function widthOf(text: string): number {
  const columns = Array.from(text).reduce(
    (sum, character) => sum + ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1),
    0,
  );
  return Math.ceil(columns * metrics.character);
}

function sizeOf(areas: readonly Area[]): { width: number; height: number } {
  const right = areas.reduce((most, { x, width }) => Math.max(most, x + width), 0);
  const bottom = areas.reduce((most, { y, height }) => Math.max(most, y + height), 0);
  return { width: Math.ceil(right + metrics.margin), height: Math.ceil(bottom + metrics.margin) };
}
