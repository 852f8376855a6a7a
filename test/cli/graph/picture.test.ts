import assert from "node:assert/strict";
import { layoutOf, widthOf, type Area, type Direction } from "../../../cli/graph/layout";
import { lifeCyclePicture } from "../../../cli/graph/life-cycle-picture";
import { mermaidOf } from "../../../cli/graph/mermaid";
import { orderPicture } from "../../../cli/graph/order-picture";
import type { Picture } from "../../../cli/graph/picture";
import { foldAlike } from "../../../cli/graph/shapes";
import { svgOf } from "../../../cli/graph/svg";
import { cycleOf, fixture, fixtures } from "./fixtures";
import { canary, stateOf, type HandMadeClaim } from "./hand-made";
import { readXml } from "./xml";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const hundred: readonly HandMadeClaim[] = numbers(100).map((index) => ({
  name: `photos-${index}`,
  namespace: "shop",
}));

const folded = (text: string): Picture => lifeCyclePicture(foldAlike(cycleOf(text)));
const whole = (text: string): Picture => lifeCyclePicture({ ...cycleOf(text), more: new Map() });
const linesOf = (picture: Picture): string[] => mermaidOf(picture).trimEnd().split("\n");

function overlaps(one: Area, other: Area): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isBelow;
}

function contains(outer: Area, inner: Area): boolean {
  const isInX = outer.x <= inner.x && inner.x + inner.width <= outer.x + outer.width;
  return isInX && outer.y <= inner.y && inner.y + inner.height <= outer.y + outer.height;
}

function assertApart(areas: readonly { readonly id: string; readonly area: Area }[]): void {
  for (const [index, one] of areas.entries()) {
    for (const other of areas.slice(index + 1)) {
      assert.ok(!overlaps(one.area, other.area), `${one.id} and ${other.id} overlap`);
    }
  }
}

/** Whether any part of an arrow is behind a box that it does not begin or end at. */
function assertAround(picture: Picture, direction: Direction): void {
  const { boxes, arrows } = layoutOf(picture, direction);
  for (const { from, to, points } of arrows) {
    for (const { id, area } of boxes.filter((box) => box.id !== from && box.id !== to)) {
      for (const [index, { x, y }] of points.slice(1).entries()) {
        const before = points[index] ?? { x, y };
        // A curve stays between its ends.
        const part = {
          x: Math.min(before.x, x),
          y: Math.min(before.y, y),
          width: Math.abs(before.x - x),
          height: Math.abs(before.y - y),
        };
        assert.ok(!overlaps(part, area), `the arrow from ${from} to ${to} goes through ${id}`);
      }
    }
  }
}

describe("a picture of a hundred claims", () => {
  it("has one stand for all that differ in their names alone", () => {
    const lines = linesOf(folded(stateOf(hundred)));
    assert.ok(lines.length < 30, `${lines.length} lines`);
    assert.equal(lines.filter((line) => line.includes("BucketClaim photos-")).length, 1);
    assert.match(lines.join("\n"), /"BucketClaim photos-0<br\/>… 99 more like it<br\/>/);
  });

  it("shows by itself the one that a destroy treats otherwise", () => {
    const kept: HandMadeClaim = { name: "kept", namespace: "shop", policy: "Retain" };
    const text = linesOf(folded(stateOf([...hundred, kept]))).join("\n");
    assert.match(text, /bucket bucket-kept<br\/>destroy 4: keeps the bucket/);
    assert.match(text, /99 more like it/);
  });

  it("groups them by namespace, and names one of many namespaces that have the same", () => {
    const few = hundred.map((claim, index) => ({ ...claim, namespace: ["shop", "blog"][index % 2] ?? "" }));
    const two = linesOf(folded(stateOf(few)));
    assert.deepEqual(
      two.filter((line) => line.includes("subgraph")).map((line) => /"(.*)"/.exec(line)?.[1]),
      ["namespace blog", "namespace shop", "at rgw.example.com"],
    );
    assert.equal(two.filter((line) => line.includes("49 more like it")).length, 10);
    const many = hundred.map((claim, index) => ({ ...claim, namespace: `team-${index % 20}` }));
    const lines = linesOf(folded(stateOf(many)));
    assert.ok(lines.length < 30, `${lines.length} lines`);
    assert.match(lines.join("\n"), /… 4 more like it, 19 more namespaces with the same/);
  });

  it("keeps up to three of a kind, and shows each where it is told to", () => {
    assert.doesNotMatch(linesOf(folded(stateOf(hundred.slice(0, 3)))).join("\n"), /more like it/);
    const all = linesOf(whole(stateOf(hundred))).join("\n");
    for (const { name } of hundred) assert.ok(all.includes(`BucketClaim ${name}<br/>`));
  });

  it("tells the steps of a destroy in as many boxes as there are steps", () => {
    const cycle = cycleOf(stateOf(hundred));
    const lines = linesOf(orderPicture(cycle, false));
    assert.match(lines[1] ?? "", /Pod shop\/photos-0: is removed<br\/>… 99 more like it"/);
    const steps = lines.filter((line) => line.includes("destroy, step"));
    assert.match(steps[2] ?? "", /revokes the account/);
    assert.match(steps[3] ?? "", /DELETES the bucket/);
    assert.equal(steps.length, 7);
    assert.ok(mermaidOf(orderPicture(cycle, true)).includes("Pod shop/photos-99: is removed"));
  });

  it("has no box over another one, folded or not", () => {
    for (const picture of [folded(stateOf(hundred)), whole(stateOf(hundred.slice(0, 40)))]) {
      assertApart(layoutOf(picture, "LR").boxes);
    }
  });

  it("has no arrow behind a box, to the right or down, in one namespace or in many", () => {
    const mixed = hundred.map((claim, index): HandMadeClaim => ({
      ...claim,
      namespace: `team-${index % 7}`,
      policy: index % 9 === 0 ? "Retain" : "Delete",
    }));
    for (const claims of [hundred, mixed]) {
      for (const direction of ["LR", "TB"] as const) assertAround(folded(stateOf(claims)), direction);
    }
  });

  it("is drawn to the right where a page has room for that, else down if that is narrower", () => {
    const size = (picture: Picture): { width: number; height: number } => {
      const [, width = "", height = ""] = /width="(\d+)" height="(\d+)"/.exec(svgOf(picture)) ?? [];
      return { width: Number(width), height: Number(height) };
    };
    const one = folded(stateOf(hundred));
    const [right, down] = [layoutOf(one, "LR"), layoutOf(one, "TB")];
    assert.ok(down.width < right.width);
    assert.equal(size(one).width, down.width);
    const small = folded(fixture("bare.preview.json"));
    assert.equal(size(small).width, Math.min(layoutOf(small, "LR").width, layoutOf(small, "TB").width));
  });
});

describe("a picture in SVG", () => {
  for (const name of fixtures) {
    it(`is XML, and has its boxes apart and in their frames, of ${name}`, () => {
      const picture = folded(fixture(name));
      const elements = readXml(svgOf(picture));
      const texts = elements.filter(({ name: tag }) => tag === "text");
      const lines = picture.boxes.flatMap((box) => box.lines);
      assert.equal(texts.length, lines.length + picture.frames.length + picture.arrows.length);
      const { boxes, frames, width, height } = layoutOf(picture, "LR");
      assertApart(boxes);
      assertApart(frames);
      for (const { id, frame, area, lines: inside } of boxes) {
        const around = frames.find((each) => each.id === frame);
        assert.ok(around === undefined || contains(around.area, area), `${id} is outside its frame`);
        assert.ok(contains({ x: 0, y: 0, width, height }, area), `${id} is outside the picture`);
        assert.ok(
          inside.every((line) => widthOf(line) < area.width),
          `a line of ${id} is too long`,
        );
      }
    });
  }

  it("writes any name as text", () => {
    const evil = `<script>alert("x")</script>&amp;'\u0007]]>`;
    const elements = readXml(svgOf(folded(stateOf([{ name: evil, namespace: evil }]))));
    assert.ok(!elements.some(({ name }) => name === "script"));
    assert.ok(elements.some(({ text }) => text.includes("&lt;script&gt;alert(&quot;x&quot;)")));
  });

  it("has colours for light and dark, and nothing from outside", () => {
    const text = svgOf(folded(fixture("objectstorage.state.json")));
    assert.match(text, /prefers-color-scheme: dark/);
    assert.deepEqual(text.match(/https?:[^"]*/g), ["http://www.w3.org/2000/svg"]);
  });
});

describe("a picture in Mermaid", () => {
  it("writes any name as text", () => {
    const evil = '"]\n  evil["#x;`<b>|&';
    const lines = linesOf(folded(stateOf([{ name: evil, namespace: "shop" }])));
    assert.ok(!lines.some((line) => line.trimStart().startsWith("evil")));
    assert.ok(lines.join("\n").includes("BucketClaim #quot;] evil[#quot;#35;x;#96;#lt;b#gt;#124;#amp;<br/>"));
    const turned = "a%%{init: x}%%\u001b[31mb\u202ec";
    const text = mermaidOf(folded(stateOf([{ name: turned, namespace: turned }])));
    assert.ok(text.includes("BucketClaim a#37;#37;{init: x}#37;#37;\\u{1b}[31mb"), text);
    assert.doesNotMatch(text, /%%|\u202e/);
    assert.ok(!text.includes("\u001b"));
  });

  it("has every arrow between boxes that are there, and every box once", () => {
    for (const name of fixtures) {
      const { boxes, arrows } = folded(fixture(name));
      const ids = boxes.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(arrows.length > 0 && arrows.every(({ from, to }) => ids.includes(from) && ids.includes(to)));
    }
  });
});

describe("a picture of what holds secrets", () => {
  it("has none of them, whatever the state or the preview shows", () => {
    const text = stateOf(hundred.slice(0, 5));
    assert.ok(text.includes(canary));
    const cycle = cycleOf(text);
    for (const picture of [folded(text), whole(text), orderPicture(cycle, true)]) {
      assert.ok(!mermaidOf(picture).includes("s3cr3t"));
      assert.ok(!svgOf(picture).includes("s3cr3t"));
    }
  });
});
