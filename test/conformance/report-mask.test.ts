import assert from "node:assert/strict";
import { ReportMask } from "../../conformance/report-mask";

function maskOf(...values: string[]): ReportMask {
  const mask = new ReportMask();
  for (const value of values) mask.rememberParameter(value);
  return mask;
}

describe("the mask of a conformance report", () => {
  const quoted = [
    "token is hunter2",
    'token "hunter2" is bad',
    "map[token:hunter2 class:x]",
    "token=hunter2, class=x",
    "(HUNTER2)",
    "aHVudGVyMg==",
  ];
  for (const said of quoted) {
    it(`takes a short value out of ${JSON.stringify(said)} [GRPC-130]`, () => {
      const text = maskOf("hunter2").applyToDriverText(said);
      assert.match(text, /\[secret\]/);
      assert.doesNotMatch(text, /hunter2|aHVudGVyMg/i);
    });
  }

  it("leaves words that only contain a short value", () => {
    const said = "the class is untrue, 14 buckets already exist";
    assert.equal(maskOf("true", "1", "read", "class1").applyToDriverText(said), said);
  });

  it("takes short values of one character and of signs literally", () => {
    assert.equal(
      maskOf("7", "a.c", "$&").applyToDriverText("7 of 17: abc, a.c, $&"),
      "[secret] of 17: abc, [secret], [secret]",
    );
  });

  it("leaves the run's own texts but for long values", () => {
    const mask = maskOf("3", "long-value");
    assert.equal(mask.apply("INVALID_ARGUMENT (3)"), "INVALID_ARGUMENT (3)");
    assert.equal(mask.apply("xlong-valuex"), "x[secret]x");
  });

  it("takes the longest value, and no rest of it stays", () => {
    const mask = maskOf("key", "key-2", "secret");
    mask.remember("key-2-of-the-account");
    assert.equal(mask.applyToDriverText("key-2-of-the-account, key-2, key"), "[secret], [secret], [secret]");
  });

  it("ignores empty and blank values", () => {
    assert.equal(maskOf("", " ").applyToDriverText("a b"), "a b");
  });
});
