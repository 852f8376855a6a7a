import Mocha from "mocha";

/** More than any test's servers and child processes need to end. */
const END_WITHIN_MS = 30_000;

/** Of the reason of a failure; the rest is where mocha lists them. */
const LINES_OF_FAILURE = 30;

/** The full title of a test or hook that failed, its file, and the reason with the place. */
function failureOf(test: Mocha.Test): string {
  const reason = test.err?.stack ?? test.err?.message ?? "no reason told";
  return [test.fullTitle(), ...(test.file === undefined ? [] : [test.file]), ...reason.split("\n")]
    .slice(0, LINES_OF_FAILURE)
    .join("\n");
}

/**
 * Mocha's `spec` reporter, which also sends the counts, and what failed, to the process that started mocha, and ends a mocha that something
 * keeps running: a test has left it behind. That is an error (exit code 70), and not a run that never ends.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const given = (options.reporterOptions as Record<string, unknown> | undefined)?.["endWithinMs"];
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const failures = this.failures.map(failureOf);
      process.send?.({ passed: this.stats.passes, failed: this.stats.failures, failures });
      const end = (): void => {
        console.error(
          `The tests are over, and mocha does not end: a test has left behind ${process.getActiveResourcesInfo().join(", ")}`,
        );
        // Mocha sets its own code at the exit.
        process.once("exit", () => {
          process.exitCode = 70;
        });
        process.exit();
      };
      setTimeout(end, given === undefined ? END_WITHIN_MS : Number(given)).unref();
    });
  }
}

export = CountingReporter;
