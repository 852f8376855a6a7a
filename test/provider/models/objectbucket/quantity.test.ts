import assert from "node:assert/strict";
import * as fc from "fast-check";
import { billionthsOf } from "../../../../provider/models/objectbucket/quantity";

const units = (count: bigint) => count * 10n ** 9n;

describe("a quantity of Kubernetes", () => {
  it("is read with each suffix and exponent [OBC-080]", () => {
    const values: [string, bigint][] = [
      ["0", 0n],
      ["1000", units(1000n)],
      ["+5", units(5n)],
      ["5.", units(5n)],
      [".5", 500_000_000n],
      ["1.5Ki", units(1536n)],
      ["0.1Ki", 102_400_000_000n],
      ["1n", 1n],
      ["1u", 1_000n],
      ["1500m", 1_500_000_000n],
      ["2k", units(2000n)],
      ["2M", units(2_000_000n)],
      ["2G", units(2_000_000_000n)],
      ["2T", units(2_000_000_000_000n)],
      ["2P", units(2_000_000_000_000_000n)],
      ["2E", units(2_000_000_000_000_000_000n)],
      ["4Ki", units(4096n)],
      ["1Mi", units(1n << 20n)],
      ["1Gi", units(1n << 30n)],
      ["1Ti", units(1n << 40n)],
      ["1Pi", units(1n << 50n)],
      ["1Ei", units(1n << 60n)],
      ["12e2", units(1200n)],
      ["12E-1", 1_200_000_000n],
      // What is less than a billionth is rounded up.
      ["0.0000000001", 1n],
      ["9223372036854775807", units((1n << 63n) - 1n)],
    ];
    for (const [text, value] of values) assert.equal(billionthsOf(text), value, text);
  });

  it("is nothing else, not below 0 and not above 63 bits [OBC-080]", () => {
    const texts = [
      "",
      " 1",
      "1 ",
      "-1",
      "-0.5",
      "+",
      ".",
      "Ki",
      "1K",
      "1ki",
      "1KiB",
      "1 G",
      "1g",
      "1e",
      "1e+",
      "0x10",
    ];
    for (const text of [...texts, "1,5", "NaN", "Infinity", "9223372036854775808", "8Ei", "1e99", "1e100"]) {
      assert.equal(billionthsOf(text), undefined, text);
    }
  });

  it("is equal for texts of one value [OBC-080]", () => {
    fc.assert(
      fc.property(fc.nat(), (count) => {
        assert.equal(billionthsOf(`${count}Ki`), billionthsOf(String(count * 1024)));
        assert.equal(billionthsOf(`${count}k`), billionthsOf(`${count}000`));
        assert.equal(billionthsOf(`${count}e3`), billionthsOf(`${count}000000m`));
      }),
    );
  });
});
