import fc from "fast-check";

/** How a driver writes a secret into a text of its own, by name. */
const encodings = {
  plain: (secret) => secret,
  "JSON of JavaScript": (secret) => JSON.stringify(secret),
  "JSON of Go": (secret) =>
    JSON.stringify(secret).replaceAll(
      /[<>&]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  "JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ secret })),
  URL: (secret) => `https://store.example.com/?key=${encodeURIComponent(secret)}&page=1`,
  "URL of a form": (secret) => new URLSearchParams({ secret }).toString(),
  XML: (secret) =>
    `<Key>${secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</Key>`,
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "basic authentication": (secret) => `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`,
  hex: (secret) => Buffer.from(secret).toString("hex"),
} as const satisfies Record<string, (secret: string) => string>;

export type Encoding = keyof typeof encodings;

export const encodingNames = Object.keys(encodings) as Encoding[];

/** A part of a driver's message: its own words, or one of the secrets that it knows, by number. */
export type MessagePart = { readonly words: string } | { readonly secret: number; readonly as: Encoding };

/** The message, with the secrets that the driver knows at that time. */
export function spoken(parts: readonly MessagePart[], known: readonly string[]): string {
  return parts
    .map((part) => {
      if ("words" in part) return part.words;
      const secret = known.length === 0 ? undefined : known[part.secret % known.length];
      return secret === undefined ? "" : encodings[part.as](secret);
    })
    .join("");
}

const words = fc.constantFrom(
  "the store says: ",
  " is refused",
  "\nwarning: bucket b: ",
  "%s %d %ZZ %",
  '{"error":"',
  '"}',
  "→ ü 𝒳 ",
  "\u0000\u001b[31m",
  "[secret]",
  " Next: ",
);

/** A driver's message, with up to three secrets in it. */
export const messageArbitrary: fc.Arbitrary<readonly MessagePart[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ words }) },
    { weight: 1, arbitrary: fc.record({ words: fc.string({ maxLength: 40 }) }) },
    { weight: 4, arbitrary: fc.record({ secret: fc.nat(9), as: fc.constantFrom(...encodingNames) }) },
  ),
  { maxLength: 6 },
);

const alphabets = [
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=",
  "abcXYZ019 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  "abcXYZ019äöü€𝒳",
].map((characters) => Array.from(characters));

/** Long and random enough that no other text holds it by chance. */
const line: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom(...Array.from("ghjkmnpqrstvwxyz0123456789")), { minLength: 10, maxLength: 10 }),
    fc.oneof(
      ...alphabets.map((alphabet) => fc.array(fc.constantFrom(...alphabet), { minLength: 4, maxLength: 40 })),
    ),
  )
  .map(([head, tail]) => `${head.join("")}${tail.join("")}.`);

/** A secret as stores issue them: a key, a token, or a document of several lines. */
export const secretArbitrary: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: line },
  {
    weight: 1,
    arbitrary: fc
      .tuple(line, line)
      .map((lines) => ["-----BEGIN KEY-----", ...lines, "-----END KEY-----", ""].join("\n")),
  },
);
