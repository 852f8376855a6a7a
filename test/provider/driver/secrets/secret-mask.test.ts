import assert from "node:assert/strict";
import fc from "fast-check";
import { SecretMask } from "../../../../provider/driver/secrets/secret-mask";

describe("SecretMask", () => {
  it("masks a secret in the encodings in which a driver may quote it", () => {
    const secret = 's3/key "a+b"=';
    const mask = new SecretMask();
    mask.remember(secret);
    for (const form of [
      secret,
      JSON.stringify(secret),
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ]) {
      const text = mask.apply(`before ${form} after`);
      assert.match(text, /^before "?\[secret\]"? after$/);
    }
  });

  it("leaves no rest of a secret that begins with another one", () => {
    const mask = new SecretMask();
    mask.remember("hunter22");
    mask.remember("hunter22-and-more");
    assert.equal(mask.apply("hunter22-and-more hunter22"), "[secret] [secret]");
  });

  it("leaves ordinary text alone for secrets of fewer than 4 characters", () => {
    const mask = new SecretMask();
    for (const short of ["", "a", "abc"]) mask.remember(short);
    assert.equal(mask.apply("abc a cab"), "abc a cab");
    mask.remember("abcd");
    assert.equal(mask.apply("abcd"), "[secret]");
  });

  it("masks each line of a secret that has several, with either end of a line, but no heading", () => {
    const mask = new SecretMask();
    const lines = ["-----BEGIN KEY-----", "first-line-of-it", "  last-line-of-it", "short"];
    mask.remember(lines.join("\r\n"));
    assert.equal(mask.apply(`[${lines.join("\n")}] [${lines.join("\r\n")}]`), "[[secret]] [[secret]]");
    assert.equal(mask.apply("line 2: first-line-of-it, last-line-of-it"), "line 2: [secret], [secret]");
    assert.equal(mask.apply("-----BEGIN KEY----- short"), "-----BEGIN KEY----- short");
  });

  it("takes any string, and lets none through", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", minLength: 4 }), { minLength: 1, maxLength: 4 }),
        fc.string(),
        (secrets, rest) => {
          const mask = new SecretMask();
          for (const secret of secrets) mask.remember(secret);
          for (const secret of secrets) {
            const text = mask.apply(`${rest} ${secret} ${rest}`);
            assert.ok(text.includes("[secret]"));
            fc.pre(!"[secret]".includes(secret) && !rest.includes(secret));
            assert.ok(!text.replaceAll("[secret]", "\n").includes(secret));
          }
        },
      ),
    );
  });
});
