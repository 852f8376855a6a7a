/** A shorter part of an encoded text stands in others by chance. */
const shortestPart = 8;

/**
 * A secret as drivers write it: plain, in JSON of JavaScript, Go or Python, in a URL or a form, in XML, in base64 also
 * behind other text (`user:password`), and in hex.
 */
export function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    escaped(json, /[<>&\u2028\u2029]/g),
    escaped(json, /[^\0-\x7f]/g),
    inUrl,
    new URLSearchParams([["", secret]]).toString().slice(1),
    // What may stand in the path of a URL as it is.
    inUrl.replaceAll(/%(?:2[46B]|3[AD]|40)/g, decodeURIComponent),
    inXml(secret, {}),
    inXml(secret, { '"': "&quot;", "'": "&apos;" }),
    inXml(secret, { '"': "&#34;", "'": "&#39;", "\n": "&#xA;", "\r": "&#xD;", "\t": "&#x9;" }),
    bytes.toString("base64"),
    ...[0, 1, 2].flatMap((offset) => base64Within(bytes, offset)),
    ...(hex.length < shortestPart ? [] : [hex, hex.toUpperCase()]),
  ];
}

/** JSON with these characters as `\u003c`. */
function escaped(json: string, characters: RegExp): string {
  return json.replaceAll(characters, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function inXml(secret: string, more: Readonly<Record<string, string>>): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...more };
  return secret.replaceAll(/[&<>"'\n\r\t]/g, (char) => entities[char] ?? char);
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
