import assert from "node:assert/strict";
import fc from "fast-check";
import { SecretMask } from "../../../../provider/driver/secrets/secret-mask";

describe("the forms of a secret", () => {
  const secret = `a+b/c="d" 'e' <f>&g?h~~é>>>`;
  const bytes = Buffer.from(secret);
  const unicode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const json = JSON.stringify(secret).slice(1, -1);
  const xml = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const forms: Readonly<Record<string, string>> = {
    "JSON of Go": json.replaceAll(/[<>&]/g, unicode),
    "JSON of Python": json.replaceAll(/[^\0-\x7f]/g, unicode),
    "JSON in JSON": JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    "a URL's query": encodeURIComponent(secret),
    "a form": new URLSearchParams({ a: secret }).toString().slice(2),
    "a URL's path": encodeURIComponent(secret)
      .replaceAll("%2B", "+")
      .replaceAll("%3D", "=")
      .replaceAll("%26", "&"),
    XML: xml,
    "XML of Go": xml.replaceAll('"', "&#34;").replaceAll("'", "&#39;"),
    "XML of others": xml.replaceAll('"', "&quot;").replaceAll("'", "&apos;"),
    hex: bytes.toString("hex"),
    "upper-case hex": bytes.toString("hex").toUpperCase(),
    base64: bytes.toString("base64"),
    "base64 for URLs": bytes.toString("base64url"),
  };

  for (const [name, form] of Object.entries(forms)) {
    it(`are masked in ${name}`, () => {
      const mask = new SecretMask();
      mask.remember(secret);
      const text = mask.apply(`before (${form}) after`);
      assert.match(text, /^before \(.{0,2}\[secret\].{0,3}\) after$/);
    });
  }

  for (const before of ["user:", "user1:", "user12:"]) {
    it(`are masked in base64 behind ${JSON.stringify(before)}, but for characters that they share`, () => {
      const mask = new SecretMask();
      mask.remember(secret);
      const text = mask.apply(`Basic ${Buffer.from(`${before}${secret}!`).toString("base64")}`);
      assert.match(text, /^Basic \S{6,12}\[secret\]\S{0,6}$/);
    });
  }

  /** What encoders make of one character, whether they have to or not. */
  const encodings: Readonly<Record<string, (char: string) => string>> = {
    "a URL": encodeURIComponent,
    "a URL, in lower case": (char) => encodeURIComponent(char).toLowerCase(),
    "a string of JSON": (char) => unicode(char).toUpperCase().replace("U", "u"),
    "a string of Go": (char) => `\\${char}`,
    "XML with numbers": (char) => `&#${char.codePointAt(0) ?? 0};`,
    "XML with numbers in hex": (char) => `&#x${(char.codePointAt(0) ?? 0).toString(16)};`,
  };
  for (const [name, encode] of Object.entries(encodings)) {
    it(`are masked in ${name}, whichever of its characters are encoded [GRPC-084]`, () => {
      const part = fc.tuple(fc.constantFrom(...Array.from("abXY09+/=#?~*()!'\"<>:@,;. ")), fc.boolean());
      fc.assert(
        fc.property(fc.array(part, { minLength: 8, maxLength: 40 }), (parts) => {
          const mask = new SecretMask();
          mask.remember(parts.map(([char]) => char).join(""));
          const shown = parts.map(([char, encoded]) =>
            encoded && !/[A-Za-z0-9]/.test(char) ? encode(char) : char,
          );
          assert.equal(mask.apply(`before|${shown.join("")}|after`), "before|[secret]|after");
        }),
      );
    });
  }

  it("are masked in base64 that is broken into lines, also within JSON [GRPC-084]", () => {
    const mask = new SecretMask();
    mask.remember(secret);
    const lines = bytes.toString("base64").replaceAll(/.{16}(?=.)/g, "$&\n  ");
    assert.equal(mask.apply(`key: |\n  ${lines}\nnext`), "key: |\n  [secret]\nnext");
    assert.equal(mask.apply(JSON.stringify({ key: lines })), '{"key":"[secret]"}');
  });

  it("leave ordinary text alone for a short secret", () => {
    const mask = new SecretMask();
    mask.remember("abcd");
    assert.equal(mask.apply("a YWJj FiY2 hYmN"), "a YWJj FiY2 hYmN");
  });
});
