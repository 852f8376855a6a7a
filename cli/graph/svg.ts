import { layoutOf, metrics, widthOf, type Direction, type Layout, type Point } from "./layout";
import type { Picture } from "./picture";

/** Light, and dark where the reader's system is. */
const style = `
  svg { --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #818b98; --box: #f6f8fa; --store: #eaf2fb;
    --workload: #f3effc; --good: #1a7f37; --care: #9a6700; --bad: #cf222e; }
  @media (prefers-color-scheme: dark) {
    svg { --page: #0d1117; --ink: #f0f6fc; --soft: #b1bac4; --line: #7d8590; --box: #161b22; --store: #132339;
      --workload: #211b36; --good: #3fb950; --care: #d29922; --bad: #ff7b72; }
  }
  text { font: ${metrics.text}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); }
  .page { fill: var(--page); }
  .box { fill: var(--box); stroke: var(--line); }
  .store { fill: var(--store); }
  .workload { fill: var(--workload); }
  .loss { stroke: var(--bad); stroke-width: 2; }
  .created { stroke: var(--good); stroke-width: 3; }
  .changed { stroke: var(--care); stroke-width: 2; stroke-dasharray: 4 2; }
  .replaced { stroke: var(--care); stroke-width: 3; }
  .deleted { stroke: var(--bad); stroke-width: 3; stroke-dasharray: 6 3; }
  .frame { fill: none; stroke: var(--line); stroke-dasharray: 2 3; }
  .soft { fill: var(--soft); }
  .title { font-weight: bold; }
  .arrow { fill: none; stroke: var(--line); stroke-width: 1.5; marker-end: url(#head); }
  .head { fill: var(--line); }
  .label { fill: var(--soft); }
`;

/** A page of documentation shows so many pixels at their size, roughly; what is wider gets small there. */
const pageWidth = 1000;

/** Draws a picture as SVG: one file without scripts, fonts or anything else from outside. */
export function svgOf(picture: Picture): string {
  const { direction, ...layout } = narrowLayout(picture);
  const { width, height, frames, boxes, arrows } = layout;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(picture.title)}</title>`,
    `<style>${style}</style>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">` +
      `<path class="head" d="M0 0L8 4L0 8Z"/></marker></defs>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...frames.map(frameOf),
    ...arrows.map(({ points }) => `<path class="arrow" d="${pathOf(points, direction)}"/>`),
    ...boxes.map(boxOf),
    ...frames.map(({ title, area }) => {
      const x = area.x + metrics.padding;
      const y = area.y + metrics.text + 4;
      return (
        onPage(title, x, y) + `<text class="soft" x="${round(x)}" y="${round(y)}">${escaped(title)}</text>`
      );
    }),
    ...arrows.map(({ label, at }) => {
      const x = at.x - widthOf(label) / 2;
      const y = at.y + metrics.text / 3;
      return (
        onPage(label, x, y) + `<text class="label" x="${round(x)}" y="${round(y)}">${escaped(label)}</text>`
      );
    }),
    "</svg>",
    "",
  ].join("\n");
}

/** To the right, as life goes on, unless that is wider than a page, and wider than down. */
function narrowLayout(picture: Picture): Layout & { readonly direction: Direction } {
  const right = { ...layoutOf(picture, "LR"), direction: "LR" } as const;
  if (right.width <= pageWidth) return right;
  const down = { ...layoutOf(picture, "TB"), direction: "TB" } as const;
  return down.width < right.width ? down : right;
}

/** Takes away what is behind a text that stands on no box. */
function onPage(text: string, x: number, y: number): string {
  const { text: size } = metrics;
  const frame = `x="${round(x - 2)}" y="${round(y - size)}" width="${round(widthOf(text) + 4)}" height="${size + 4}"`;
  return `<rect class="page" ${frame}/>`;
}

function frameOf({ area }: Layout["frames"][number]): string {
  const { x, y, width, height } = area;
  return `<rect class="frame" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"/>`;
}

function boxOf({ id, lines, form, change, losesData, area }: Layout["boxes"][number]): string {
  const { x, y, width, height } = area;
  const classes = ["box", form, change ?? (losesData ? "loss" : "")].filter((name) => name !== "").join(" ");
  const radius = { object: 3, store: 12, workload: Math.min(height / 2, 24) }[form];
  const texts = lines.map((line, index) => {
    const from = y + metrics.padding + metrics.text + index * metrics.line;
    const kind = index === 0 ? "title" : "soft";
    return `<text class="${kind}" x="${round(x + metrics.padding)}" y="${round(from)}">${escaped(line)}</text>`;
  });
  const frame = `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
  return `<g id="${id}"><rect class="${classes}" ${frame} rx="${radius}"/>${texts.join("")}</g>`;
}

/** Straight along the direction, in a curve from lane to lane. */
function pathOf(points: readonly Point[], direction: Direction): string {
  const parts = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (before === undefined) return `M${round(x)} ${round(y)}`;
    const [across, along] = direction === "LR" ? [y - before.y, "x"] : [x - before.x, "y"];
    if (Math.abs(across) < 0.05) return `L${round(x)} ${round(y)}`;
    const middle = along === "x" ? (before.x + x) / 2 : (before.y + y) / 2;
    const handles =
      along === "x"
        ? [middle, before.y, middle, y].map(round).join(" ")
        : [before.x, middle, x, middle].map(round).join(" ");
    return `C${handles} ${round(x)} ${round(y)}`;
  });
  return parts.join("");
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What XML 1.0 has no place for, not even as an entity; what else is of white space is a blank by now. */
const unwritable = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

function escaped(text: string): string {
  return text
    .replaceAll(unwritable, "\ufffd")
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
