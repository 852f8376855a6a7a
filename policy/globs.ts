/**
 * True if one of the patterns fits the whole text: `*` stands for any characters, `?` for one, and all else for itself.
 *
 * @param ofAnyCase Upper and lower case are the same, as they are in the names of drivers.
 */
export function fitsAny(text: string, patterns: readonly string[], ofAnyCase = true): boolean {
  return patterns.some((pattern) => expressionOf(pattern, ofAnyCase ? "is" : "s").test(text));
}

function expressionOf(pattern: string, flags: string): RegExp {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll("*", ".*").replaceAll("?", ".")}$`, flags);
}
