import assert from "node:assert/strict";

/** An element of a document, with the text that is directly in it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const attribute = /^\s+([A-Za-z_][\w:.-]*)="([^<"]*)"/;
const entity = /&(?!(?:amp|lt|gt|quot|#39);)/;

/**
 * Reads what XML 1.0 calls well-formed, of the part of it that a drawing needs: one root, every element closed in its
 * turn, every attribute quoted and there once, no bare `&` or `<`, no control character.
 */
export function readXml(document: string): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  let rest = document.trimEnd();
  assert.ok(
    Array.from(rest).every((each) => each >= " " || each === "\n"),
    "a control character",
  );
  while (rest !== "") {
    const tag = /^<(\/?)([A-Za-z][\w.-]*)((?:[^<>"]|"[^"]*")*?)(\/?)>([^<]*)/.exec(rest);
    assert.ok(tag, `no tag at ${JSON.stringify(rest.slice(0, 60))}`);
    const [whole, isEnd, name = "", inside = "", isEmpty, text = ""] = tag;
    assert.doesNotMatch(whole, entity);
    rest = rest.slice(whole.length);
    if (isEnd === "/") {
      assert.equal(open.pop(), name);
    } else {
      assert.ok(elements.length === 0 || open.length > 0, "a second root");
      elements.push({ name, attributes: attributesOf(inside), text });
      if (isEmpty !== "/") open.push(name);
    }
    assert.ok(open.length > 0 || text.trim() === "", "text outside the root");
  }
  assert.deepEqual(open, []);
  return elements;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  let rest = text.trimEnd();
  while (rest !== "") {
    const match = attribute.exec(rest);
    assert.ok(match, `no attribute at ${JSON.stringify(rest)}`);
    const [whole, name = "", value = ""] = match;
    assert.ok(!(name in found), `${name} twice`);
    found[name] = value;
    rest = rest.slice(whole.length);
  }
  return found;
}
