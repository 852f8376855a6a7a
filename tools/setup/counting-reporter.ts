import Mocha from "mocha";

/** More than any test's servers and child processes need to end. */
const END_WITHIN_MS = 30_000;

/**
 * Mocha's `spec` reporter, which also sends the counts to the process that started mocha, and ends a mocha that something
 * keeps running: a test has left it behind. That is an error (exit code 70), and not a run that never ends.
 */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const given = (options.reporterOptions as Record<string, unknown> | undefined)?.["endWithinMs"];
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      process.send?.({ passed: this.stats.passes, failed: this.stats.failures });
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
