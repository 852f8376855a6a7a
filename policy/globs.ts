/**
 * True if one of the patterns fits the whole text: `*` stands for any characters, `?` for one, and all else for itself. Upper
 * and lower case are the same, as they are in the names of drivers.
 */
export function fitsAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => expressionOf(pattern).test(text));
}

function expressionOf(pattern: string): RegExp {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll("*", ".*").replaceAll("?", ".")}$`, "is");
}
