import fc from "fast-check";
import { ReplyBench } from "../../test/support/replies/reply-bench";
import { caseArbitrary } from "../../test/support/replies/reply-case";
import type { SoakReport } from "./report";

/** Cases that are drawn from one seed. */
const casesPerSeed = 500;
/** A fault of the mechanism fails everywhere; more of the same tells nothing. */
const enoughFailures = 20;

/**
 * Has a driver answer all RPCs over real gRPC with well-formed and malformed replies, and judges each step by what it
 * sends, keeps and shows.
 *
 * @param options.count Replies that are sent at least.
 * @param options.seed First seed; each 500 cases take the next one. A failure names its own: `count: 1` with that seed
 * finds it again.
 */
export async function soakReplies(options: {
  readonly count: number;
  readonly seed: number;
}): Promise<SoakReport> {
  const bench = await new ReplyBench().start();
  const failures: string[] = [];
  try {
    const property = fc.asyncProperty(caseArbitrary, (given) => bench.judge(given));
    for (let seed = options.seed; bench.sent < options.count; seed += 1) {
      const details = await fc.check(property, { seed, numRuns: casesPerSeed });
      if (details.failed) {
        const report = fc.defaultReportMessage(details) ?? "";
        failures.push(`seed ${seed}: ${String(details.errorInstance)}\n${report}`);
      }
      if (failures.length >= enoughFailures) break;
    }
    return { title: "replies of a driver", tried: bench.sent, failures };
  } finally {
    await bench.stop();
  }
}
