import fc from "fast-check";
import { ReplyBench } from "../../support/replies/reply-bench";
import { caseArbitrary } from "../../support/replies/reply-case";

/** About 2100 replies; the soak sends a hundred thousand. */
const cases = 1500;

describe("a driver's replies, well-formed and not", function () {
  this.timeout(600_000);
  let bench: ReplyBench;

  before(async () => {
    bench = await new ReplyBench().start();
  });
  after(() => bench.stop());

  it("end in a state that is right or an error that keeps what may live, delete nothing that was not told, and show no secret [OS1-090]", async () => {
    await fc.assert(
      fc.asyncProperty(caseArbitrary, (given) => bench.judge(given)),
      { numRuns: cases },
    );
  });
});
