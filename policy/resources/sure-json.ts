import { isRecord } from "../../provider/dynamic/values";

/**
 * What a text is in JSON; `undefined` for one that is none, or whose meaning is not sure: a name stands twice in it, or in other
 * letters beside itself. Stores differ in which of two counts, and some take names in any letters.
 */
export function sureJson(text: string): unknown {
  try {
    const document: unknown = JSON.parse(text);
    return hasDoubles(text, document) ? undefined : document;
  } catch {
    return undefined;
  }
}

/** A text in JSON; that of a name has a colon behind it. */
const jsonText = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Of a name that stands twice, what JSON.parse gives has one. */
function hasDoubles(text: string, document: unknown): boolean {
  const written = [...text.matchAll(jsonText)].filter(([, colon]) => colon !== undefined);
  return written.length !== namesWithin(document);
}

/** How many names a value has, at any depth, where those that differ in the case of their letters alone are one. */
function namesWithin(value: unknown): number {
  if (Array.isArray(value)) return sum(value.map(namesWithin));
  if (!isRecord(value)) return 0;
  const own = new Set(Object.keys(value).map((name) => name.toLowerCase()));
  return own.size + sum(Object.values(value).map(namesWithin));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
