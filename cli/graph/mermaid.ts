import { printable } from "../printable";
import type { Change } from "./resource";
import type { Box, Picture } from "./picture";

/** Colours of borders only: the page's own are kept, light or dark. */
const styles: Readonly<Record<Change | "loss", string>> = {
  created: "stroke:#2da44e,stroke-width:3px",
  changed: "stroke:#bf8700,stroke-width:2px,stroke-dasharray:4 2",
  replaced: "stroke:#bf8700,stroke-width:3px",
  deleted: "stroke:#cf222e,stroke-width:3px,stroke-dasharray:6 3",
  loss: "stroke:#cf222e,stroke-width:2px",
};

/** Writes a picture as a Mermaid flowchart. */
export function mermaidOf(picture: Picture): string {
  const { frames, boxes, arrows } = picture;
  const direction = picture.arrows.every(({ label }) => label === "then") ? "TB" : "LR";
  const used = new Set(boxes.map(styleOf).filter((style) => style !== undefined));
  const lines = [
    `flowchart ${direction}`,
    ...boxes.filter(({ frame }) => frame === undefined).map((box) => `  ${node(box)}`),
    ...frames.flatMap(({ id, title }) => [
      `  subgraph ${id}["${escaped(title)}"]`,
      ...boxes.filter(({ frame }) => frame === id).map((box) => `    ${node(box)}`),
      "  end",
    ]),
    ...arrows.map(({ from, to, label }) => `  ${from} -->|${escaped(label)}| ${to}`),
    ...[...used].map((name) => `  classDef ${name} ${styles[name]}`),
    ...[...used].map((name) => {
      const ids = boxes.filter((box) => styleOf(box) === name).map(({ id }) => id);
      return `  class ${ids.join(",")} ${name}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function styleOf({ change, losesData }: Box): Change | "loss" | undefined {
  return change ?? (losesData ? "loss" : undefined);
}

function node({ id, lines, form }: Box): string {
  const text = `"${lines.map(escaped).join("<br/>")}"`;
  if (form === "store") return `${id}[(${text})]`;
  return form === "workload" ? `${id}([${text}])` : `${id}[${text}]`;
}

/** Entity codes of Mermaid; a backquote at the begin of a text would make it Markdown. */
const codes: Readonly<Record<string, string>> = {
  "&": "#amp;",
  "<": "#lt;",
  ">": "#gt;",
  '"': "#quot;",
  "#": "#35;",
  "`": "#96;",
  "|": "#124;",
  "%": "#37;",
};

function escaped(text: string): string {
  return printable(text).replaceAll(/[&<>"#`|%]/g, (character) => codes[character] ?? character);
}
