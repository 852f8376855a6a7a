import assert from "node:assert/strict";
import { SecretScanner } from "./secret-scanner";

const secret = 'top/secret+"value" <&>=?>>>';
const scanner = new SecretScanner({ password: secret });

describe("the search for secrets", () => {
  const forms = {
    "as it is": secret,
    "in JSON": JSON.stringify({ password: secret }),
    "in JSON in JSON": JSON.stringify({ text: JSON.stringify({ password: secret }) }),
    "in a URL": `https://example.com/?password=${encodeURIComponent(secret)}&more`,
    "in a form": new URLSearchParams({ password: secret }).toString(),
    "in JSON of Go": JSON.stringify({ secret }).replaceAll(
      /[<>&]/g,
      (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
    ),
    "in XML": `<Key>${secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</Key>`,
    "in hex": Buffer.from(`{${secret}}`).toString("hex"),
    "in upper-case hex": Buffer.from(secret).toString("hex").toUpperCase(),
    "in base64 for URLs": Buffer.from(`user:${secret}`).toString("base64url"),
    "in base64": Buffer.from(secret).toString("base64"),
    "in base64 behind one byte": Buffer.from(`a${secret}bc`).toString("base64"),
    "in base64 behind two bytes": Buffer.from(`ab${secret}c`).toString("base64"),
  };

  for (const [form, text] of Object.entries(forms)) {
    it(`finds a secret ${form}`, () => {
      const found = scanner.find({ log: `before ${text} behind` });
      assert.ok(found.length > 0);
      for (const line of found) assert.match(line, /^password \(.+\) in log$/);
    });
  }

  it("finds nothing where only a part of the secret stands", () => {
    assert.deepEqual(
      scanner.find({ log: secret.slice(1), other: Buffer.from(secret.slice(2)).toString("base64") }),
      [],
    );
  });

  it("refuses a value that would be found by chance", () => {
    assert.throws(() => new SecretScanner({ pin: "1234" }), /pin is too short/);
  });
});
