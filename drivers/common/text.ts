/** Longest name that is repeated in a message; a valid one is never cut. */
const MAX_QUOTED = 130;

/** A name in quotes, cut if it is longer than any valid one. */
export function quote(name: string): string {
  return `"${shorten(name, MAX_QUOTED)}"`;
}

/** At most so many characters of a text, no character halved. */
export function shorten(text: string, characters: number): string {
  const start = Array.from(text.slice(0, 2 * (characters + 1)));
  return start.length > characters ? `${start.slice(0, characters).join("")}…` : text;
}
