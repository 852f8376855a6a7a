import { holdsSecret, isRecord, plain } from "./values";

/**
 * Internal properties as one text. Whenever the engine writes the state it makes an object of each property, at any depth,
 * which is most of what a checkpoint costs; a text is one property to it. The quotes of the JSON are swapped for apostrophes,
 * and these for quotes, since the state is JSON itself and would escape each quote.
 */
export function internalText(properties: object): string {
  return swapQuotes(JSON.stringify(properties, inOrder));
}

/** True for a value that {@link internalText} may have made. */
export function isInternalText(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("{");
}

/** What a text of {@link internalText} holds. In those of early versions are marks, which Pulumi takes out of no text. */
export function fromInternalText(text: string): Record<string, unknown> {
  const held: unknown = JSON.parse(swapQuotes(text));
  const properties = holdsSecret(held) ? plain(held) : held;
  if (isRecord(properties)) return properties;
  throw new TypeError(`${JSON.stringify(text)} in the state is no text of internal properties`);
}

function swapQuotes(text: string): string {
  return text.replace(/["']/g, (quote) => (quote === '"' ? "'" : '"'));
}

/** Makes one text of equal properties: Pulumi compares it as it is. */
function inOrder(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
