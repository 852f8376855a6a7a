/** A shorter part of an encoded text stands in others by chance. */
const shortestPart = 8;

/**
 * A secret as drivers write it: plain, in base64 also behind other text (`user:password`), and in hex. What JSON, URLs, forms
 * and XML make of these is no form, but read back: see `viewsOf`.
 */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [
    secret,
    bytes.toString("base64"),
    ...[0, 1, 2].flatMap((offset) => base64Within(bytes, offset)),
    ...(hex.length < shortestPart ? [] : [hex, hex.toUpperCase()]),
  ];
}

/**
 * What is in the base64 form of any text that has the secret so many bytes, modulo 3, behind its start. A character that
 * depends on what stands around the secret is left out.
 */
function base64Within(secret: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), secret]);
  const [start, end] = [Math.ceil((offset * 4) / 3), Math.floor((text.length * 4) / 3)];
  const part = text.toString("base64").slice(start, end);
  return part.length < shortestPart ? [] : [part, part.replaceAll("+", "-").replaceAll("/", "_")];
}
