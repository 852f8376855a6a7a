/** What opens something, as the name of a parameter says: `password`, `AccountKey`, `sslpassword`, `sig`. */
const opening = /pass|pwd|secret|token|key$|^sig(?:nature)?$/i;

/** `password=...` of a connection string (PostgreSQL's, Azure's): up to a blank or `;`, or in quotes. */
const parameter = /(?:^|[\s;])([A-Za-z_ ]+?)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|([^\s;'"]+))/g;

/**
 * What opens the door alone within an address or a connection string, which is no secret as a whole where it says a place:
 * the password of `postgres://user:password@host/database`, as it is and decoded, and what parameters such as `password`,
 * `sig` or `AccountKey` have.
 */
export function secretsWithin(text: string): string[] {
  const found = URL.canParse(text) ? withinUrl(new URL(text)) : [];
  for (const [, name = "", single, double, plain] of text.matchAll(parameter)) {
    if (opening.test(name)) found.push(single?.replaceAll(/\\(.)/g, "$1") ?? double ?? plain ?? "");
  }
  return [...new Set(found)].filter((secret) => secret !== "" && secret !== text);
}

function withinUrl({ password, searchParams }: URL): string[] {
  const parameters = [...searchParams].flatMap(([name, value]) => (opening.test(name) ? [value] : []));
  return [password, decoded(password), ...parameters];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
