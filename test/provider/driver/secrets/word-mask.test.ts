import assert from "node:assert/strict";
import { WordMask } from "../../../../provider/driver/secrets/word-mask";

describe("WordMask", () => {
  const mask = new WordMask();
  for (const value of ["hunter2", "a.b+c", "secret", " "]) mask.remember(value);

  it("masks a value where neither a letter nor a digit stands next to it", () => {
    assert.equal(mask.apply("password=hunter2, or (a.b+c)"), "password=[secret], or ([secret])");
    assert.equal(mask.apply("xhunter2 hunter22 axb+c"), "xhunter2 hunter22 axb+c");
  });

  it("leaves alone what is masked already, and every text where it knows nothing", () => {
    assert.equal(mask.apply("[secret] and secret"), "[secret] and [secret]");
    assert.equal(new WordMask().apply("hunter2 []"), "hunter2 []");
  });
});
