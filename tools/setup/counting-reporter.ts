import Mocha from "mocha";

/** Mocha's `spec` reporter, which also sends the counts to the process that started mocha. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      process.send?.({ passed: this.stats.passes, failed: this.stats.failures });
    });
  }
}

export = CountingReporter;
