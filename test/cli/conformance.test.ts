import assert from "node:assert/strict";
import { runCommandLine } from "../../cli/commands";
import { readConformanceArguments } from "../../cli/conformance-arguments";
import { UsageError } from "../../cli/usage-error";
import { AuthenticationType } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Report } from "../../conformance/report";
import { TestedDriver } from "../conformance/support/tested-driver";

/** Runs a command line and takes down what it writes. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  let out = "";
  let err = "";
  const code = await runCommandLine(args, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    input: undefined,
    interactive: false,
    environment,
    interrupt: new AbortController().signal,
  });
  return { code, out, err };
}

describe("the command line pulumi-cosi", function () {
  this.timeout(120_000);

  it("lists its commands, with exit code 2 where none or an unknown one is given", async () => {
    const help = await run(["--help"]);
    assert.equal(help.code, 0);
    assert.match(help.out, /^ {2}conformance {2,}\S/m);
    assert.match(help.out, /^ {2}import-claims {2,}\S/m);
    assert.equal((await run([])).code, 2);
    const unknown = await run(["conform"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /has no command "conform"/);
  });

  describe("conformance", () => {
    it("reads everything that follows --command as the driver's own command line", () => {
      const { options } = readConformanceArguments(
        ["--json", "--timeout", "5", "--command", "driver", "--json", "--addr={endpoint}"],
        { COSI_ENDPOINT: "unix:///elsewhere.sock" },
      );
      assert.deepEqual(options.command, ["driver", "--json", "--addr={endpoint}"]);
      assert.equal(options.endpoint, undefined);
      assert.equal(options.timeoutSeconds, 5);
    });

    it("takes the endpoint from COSI_ENDPOINT, and parameters as they are written", () => {
      const { options } = readConformanceArguments(
        ["--parameter", "policy=a=b", "--parameter", "empty=", "--authentication-type", "iam"],
        { COSI_ENDPOINT: "unix:///run/cosi.sock" },
      );
      assert.equal(options.endpoint, "unix:///run/cosi.sock");
      assert.deepEqual(
        [...options.parameters],
        [
          ["policy", "a=b"],
          ["empty", ""],
        ],
      );
      assert.equal(options.authenticationType, AuthenticationType.IAM);
    });

    const wrong: readonly [string, readonly string[], RegExp][] = [
      ["no driver", [], /no driver is given/],
      [
        "both ways to a driver",
        ["--endpoint", "unix:///x.sock", "--command", "d"],
        /either --endpoint or --command/,
      ],
      ["an empty command", ["--command"], /--command needs a program/],
      ["a TCP endpoint", ["--endpoint", "tcp://127.0.0.1:1"], /is not a UNIX domain socket/],
      ["an unknown option", ["--endpoint", "unix:///x.sock", "--nope"], /--nope/],
      [
        "a parameter without value",
        ["--endpoint", "unix:///x.sock", "--parameter", "s3cr3t"],
        /<key>=<value>/,
      ],
      [
        "another authentication type",
        ["--endpoint", "unix:///x.sock", "--authentication-type", "Basic"],
        /"Basic"/,
      ],
      ["a prefix of other letters", ["--endpoint", "unix:///x.sock", "--prefix", "A_b"], /"A_b"/],
      [
        "a timeout of no seconds",
        ["--endpoint", "unix:///x.sock", "--timeout", "0"],
        /--timeout takes seconds/,
      ],
    ];
    for (const [what, args, message] of wrong) {
      it(`refuses ${what} with exit code 2`, async () => {
        assert.throws(() => readConformanceArguments(args, {}), UsageError);
        const { code, out, err } = await run(["conformance", ...args]);
        assert.equal(code, 2);
        assert.equal(out, "");
        assert.match(err, message);
        assert.doesNotMatch(err, /s3cr3t/);
      });
    }

    it("tells its options and exit codes with --help", async () => {
      const { code, out } = await run(["conformance", "--help"]);
      assert.equal(code, 0);
      assert.match(out, /Exit code: 0 compliant/);
    });

    it("exits 3 when the driver is not reached [GRPC-128]", async () => {
      const args = ["conformance", "--endpoint", "unix:///nonexistent/driver.sock", "--timeout", "1"];
      const { code, err } = await run(args);
      assert.equal(code, 3);
      assert.match(err, /nobody takes connections at \/nonexistent\/driver\.sock/);
    });

    it("exits 0 for a correct driver, 1 with the failed id named for a faulty one, 3 where no bucket could be made [GRPC-129]", async () => {
      const tested = await TestedDriver.start();
      try {
        const args = ["conformance", "--endpoint", tested.endpoint, "--timeout", "5"];
        const good = await run(args);
        assert.match(good.out, /\nCompliant: no MUST failed\.\n$/);
        assert.equal(good.code, 0);
        const none = await run([...args, "--parameter", "nope=1"]);
        assert.match(none.out, /\nNo verdict: DriverCreateBucket /);
        assert.equal(none.code, 3);
      } finally {
        await tested.stop();
      }
      const faulty = await TestedDriver.start(["NOT_FOUND on a repeated delete"]);
      try {
        const { code, out } = await run(["conformance", "--endpoint", faulty.endpoint, "--timeout", "5"]);
        assert.equal(code, 1);
        assert.match(out, /\nNot compliant: GRPC-023\n$/);
        assert.match(
          out,
          / {2}GRPC-023 {2}MUST .*\n +sent +DriverDeleteBucket .*\n +answered +NOT_FOUND \(5\).*\n +demanded +OK \(0\).*\n +see +COSI specification, /,
        );
      } finally {
        await faulty.stop();
      }
    });

    it("writes the report as JSON with --json [GRPC-129]", async () => {
      const tested = await TestedDriver.start(["status details"]);
      try {
        const { code, out } = await run([
          "conformance",
          "--endpoint",
          tested.endpoint,
          "--timeout",
          "5",
          "--json",
        ]);
        assert.equal(code, 1);
        const report = JSON.parse(out) as Report;
        assert.equal(report.driver, "memory.example.com");
        assert.equal(report.compliant, false);
        const failed = report.lines.filter(({ status }) => status === "fail");
        assert.deepEqual(
          failed.map(({ id, level }) => [id, level]),
          [["GRPC-060", "MUST"]],
        );
      } finally {
        await tested.stop();
      }
    });
  });
});
