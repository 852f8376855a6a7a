/** What opens something, as the name of a parameter says: `password`, `AccountKey`, `sslpassword`, `sig`, `X-Amz-Signature`. */
const opening = /pass|pwd|secret|token|key$|(?:^|[-_.])sig(?:nature)?$/i;

/** `password=...` of a connection string (PostgreSQL's, Azure's): up to a blank or `;`, or in quotes. */
const parameter = /(?:^|[\s;])([A-Za-z_ ]+?)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|([^\s;'"]+))/g;

/** An address without a scheme, `user:password@host:port` or `host/path?sig=...`: one word, and no JSON. */
const schemeless = /^[^\s"'{}<>]+$/;

/**
 * What opens the door alone within an address or a connection string, which is no secret as a whole where it says a place:
 * the password of `postgres://user:password@host/database`, as it is and decoded, and what parameters such as `password`,
 * `sig` or `AccountKey` have.
 */
export function secretsWithin(text: string): string[] {
  const found = [text, ...(schemeless.test(text) ? [`none://${text}`] : [])].flatMap((address) =>
    URL.canParse(address) ? withinUrl(new URL(address)) : [],
  );
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
