import assert from "node:assert/strict";
import { status } from "@grpc/grpc-js";
import { runCommandLine } from "../../cli/commands";
import { readConformanceArguments } from "../../cli/conformance-arguments";
import { UsageError } from "../../cli/usage-error";
import { AuthenticationType, DriverDeleteBucketRequest } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Report } from "../../conformance/report";
import { Refusal, type Fault } from "../conformance/support/memory-driver";
import type { Interceptor } from "../conformance/support/serve";
import { TestedDriver } from "../conformance/support/tested-driver";
import { paths } from "../support/cosi-v1alpha1";

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

    it("reads --command=<program> as --command <program>", () => {
      const { options } = readConformanceArguments(["--json", "--command=driver", "--flag", "x"], {});
      assert.deepEqual(options.command, ["driver", "--flag", "x"]);
    });

    it("keeps what a driver says on one line of the report, whatever is in it [GRPC-130]", async () => {
      const tested = await TestedDriver.start([], (path, body) => {
        if (path !== paths.delete) return undefined;
        const { bucketId } = DriverDeleteBucketRequest.decode(body);
        return new Refusal(
          status.PERMISSION_DENIED,
          `${bucketId}\n\u001b[32mPASS (99)\u202e\nCompliant: no MUST failed.`,
        );
      });
      try {
        const { code, out } = await run(["conformance", "--endpoint", tested.endpoint, "--timeout", "1"]);
        assert.equal(code, 1);
        assert.doesNotMatch(out, /^Compliant/m);
        assert.ok(!out.includes("\u001b") && !out.includes("\u202e"));
        assert.match(out, /\\u\{a\}\\u\{1b\}\[32mPASS \(99\)\\u\{202e\}\\u\{a\}Compliant: no MUST failed\./);
      } finally {
        await tested.stop();
      }
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

    it("takes the endpoint of the other contracts from Deployment_ENDPOINT, and names it where nothing is given [DEP-090]", () => {
      const environment = {
        COSI_ENDPOINT: "unix:///run/cosi.sock",
        Deployment_ENDPOINT: "unix:///run/deployment.sock",
      };
      for (const contract of ["deployment.v1alpha1", "database.v1alpha1"]) {
        const { options } = readConformanceArguments(["--contract", contract], environment);
        assert.equal(options.contract, contract);
        assert.equal(options.endpoint, "unix:///run/deployment.sock");
      }
      assert.equal(readConformanceArguments([], environment).options.contract, "cosi.v1alpha1");
      assert.throws(
        () => readConformanceArguments(["--contract", "deployment.v1alpha1"], {}),
        /or set Deployment_ENDPOINT$/,
      );
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
        "a parameter with a blank before its value, which may be secret",
        ["--endpoint", "unix:///x.sock", "--parameter", "token=", "s3cr3t-value"],
        /an argument belongs to no option: put a value with blanks in quotes/,
      ],
      ["an empty command that is joined", ["--command="], /--command needs a program/],
      [
        "another authentication type",
        ["--endpoint", "unix:///x.sock", "--authentication-type", "Basic"],
        /"Basic"/,
      ],
      ["a prefix of other letters", ["--endpoint", "unix:///x.sock", "--prefix", "A_b"], /"A_b"/],
      [
        "a contract that it does not judge by",
        ["--endpoint", "unix:///x.sock", "--contract", "cosi-2020-07"],
        /--contract is one of cosi\.v1alpha1, deployment\.v1alpha1, database\.v1alpha1, not "cosi-2020-07"/,
      ],
      [
        "two ways to try credentials",
        ["--endpoint", "unix:///x.sock", "--check-credentials", "--try-credentials", "t"],
        /either --check-credentials or --try-credentials/,
      ],
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

    it("judges by the contract that --contract names: exit code 0 for a correct driver, 1 for one of which a MUST failed, 0 where only a SHOULD did [DEP-090]", async () => {
      const contract = "deployment.v1alpha1";
      const judged = async (
        faults: readonly Fault[],
        intercept?: Interceptor,
        more: readonly string[] = [],
      ) => {
        const tested = await TestedDriver.start(faults, intercept, { contract });
        try {
          const args = ["conformance", "--contract", contract, "--endpoint", tested.endpoint];
          return await run([...args, "--timeout", "5", ...more]);
        } finally {
          await tested.stop();
        }
      };
      const good = await judged([]);
      assert.match(good.out, /contract deployment\.v1alpha1\n[^]*\nCompliant: no MUST failed\.\n$/);
      assert.equal(good.code, 0);
      const faulty = await judged(["NOT_FOUND on a repeated delete"]);
      assert.equal(faulty.code, 1);
      assert.match(faulty.out, /\nNot compliant: DEP-024\n$/);
      const optional = await judged([], (path) =>
        path === paths.revoke ? new Refusal(status.UNIMPLEMENTED, "not offered") : undefined,
      );
      assert.match(optional.out, /\nWARNING \(1\)\n {2}DEP-083 /);
      assert.equal(optional.code, 0);
      const other = await judged([], undefined, ["--parameter", "nope=1"]);
      assert.match(other.out, /\nNo verdict: DriverCreateDeployment /);
      assert.equal(other.code, 3);
    });

    it("tells a driver of another contract from one that is not there [DEP-090]", async () => {
      const tested = await TestedDriver.start();
      try {
        const { code, out } = await run([
          "conformance",
          "--contract",
          "deployment.v1alpha1",
          "--endpoint",
          tested.endpoint,
        ]);
        assert.equal(code, 1);
        assert.match(out, /Not compliant: DEP-001, DEP-007\n$/);
      } finally {
        await tested.stop();
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
