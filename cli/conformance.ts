import { NotJudgedError } from "../conformance/not-judged-error";
import { CannotRunError, runConformance } from "../conformance/run";
import { leftoverText, reportText } from "../conformance/report-text";
import type { Report } from "../conformance/report";
import { testedContract } from "../conformance/tested-contract";
import type { Command, Terminal } from "./command";
import { readConformanceArguments } from "./conformance-arguments";
import { exitCodes } from "./exit-codes";
import { InterruptedError } from "./interrupted-error";
import { oneLine, printable } from "./printable";

const help = `pulumi-cosi conformance: does a driver keep its contract?

  pulumi-cosi conformance --endpoint unix:///run/cosi/cosi.sock [options]
  pulumi-cosi conformance [options] --command <program> [arguments]

It calls the driver as any caller would, with buckets (or deployments) and accounts of its own, which it removes at the
end. The report shows no credential and no value of a parameter, whatever the driver says.

  --contract <name>               cosi.v1alpha1 (default), deployment.v1alpha1 or database.v1alpha1
  --endpoint <address>            socket of a driver that runs (default: the value of COSI_ENDPOINT; of
                                  Deployment_ENDPOINT for the other two contracts)
  --command <program> [args]      start the driver; it is then also judged as a process, and is stopped, killed and
                                  started again. The last option: all that follows is the driver's. {endpoint} in it
                                  is replaced.
  --parameter <key>=<value>       parameter of every create; repeat it for more
  --other-parameter <k>=<v>       other valid parameters of a create, to see that they are told apart
  --access-parameter <k>=<v>      parameter of every grant
  --other-access-parameter <k>=<v>
  --authentication-type Key|IAM   what grants ask for (default: Key)
  --check-credentials             try the granted S3 credentials at the store: which are alive, what they reach
  --try-credentials <program>     the same with a program of yours, for credentials of any kind: it gets them as JSON
                                  on standard input, and exits with 0 if they are alive, 1 if they are refused
  --large-fields                  the driver documents larger limits for its fields
  --prefix <text>                 start of all names (default: cosi-conformance)
  --timeout <seconds>             longest wait for one call (default: 60)
  --idle <seconds>                pause in which a started driver must not end (default: 60)
  --json                          the report as JSON
  -h, --help

Exit code: 0 compliant: no MUST failed; 1 not compliant; 2 wrong command line; 3 no verdict: the driver was not
reached, made nothing with the parameters given, a MUST could not be judged to its end, or credentials not be tried as
asked; 130 interrupted.
`;

/** `pulumi-cosi conformance`. */
export const conformance: Command = {
  name: "conformance",
  summary: "judge a driver by its contract",
  help,
  interrupted: "Removing what was made",
  run: async (args, terminal) => {
    const { options, json, help: helpAsked } = readConformanceArguments(args, terminal.environment);
    if (helpAsked) {
      terminal.out(help);
      return exitCodes.ok;
    }
    try {
      const report = await runConformance(options, {
        signal: terminal.interrupt,
        onCheck: (id, title) => {
          showProgress(terminal, `${id} ${title}`);
        },
        onExit: (left) => {
          if (left.length === 0) return;
          terminal.err(`${printable(leftoverText(oneLine(left), testedContract(options.contract)))}\n`);
        },
      });
      showProgress(terminal, "");
      terminal.out(
        json ? `${JSON.stringify(report, undefined, 2)}\n` : printable(reportText(oneLine(report))),
      );
      return exitCodeOf(report, terminal.interrupt.aborted);
    } catch (error) {
      showProgress(terminal, "");
      if (error instanceof NotJudgedError && terminal.interrupt.aborted) {
        throw new InterruptedError("ended before the driver was reached; nothing was made");
      }
      if (!(error instanceof CannotRunError)) throw error;
      terminal.err(`pulumi-cosi conformance: ${printable(oneLine(error.message))}\n`);
      return exitCodes.cannotRun;
    }
  },
};

function exitCodeOf({ lines, compliant }: Report, interrupted: boolean): number {
  if (interrupted) return exitCodes.interrupted;
  if (lines.some(({ status }) => status === "fail")) return exitCodes.notCompliant;
  return compliant ? exitCodes.ok : exitCodes.cannotRun;
}

/** One line that each further one overwrites. */
function showProgress({ interactive, err }: Terminal, text: string): void {
  const clearLine = "\r\u001b[K";
  if (interactive) err(`${clearLine}${text.slice(0, 78)}`);
}
