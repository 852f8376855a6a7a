import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { errorText } from "../provider/dynamic/error-text";
import type { Terminal } from "./command";
import { InterruptedError } from "./interrupted-error";

/** So many of the last lines of a command that failed are shown. */
const shownLines = 20;

/** How a command of Pulumi's CLI ended. */
export type PulumiResult =
  | { readonly ok: true; readonly written: string }
  /** `problem` says how it ended, with the last lines of what it said; `written` is its standard output. */
  | { readonly ok: false; readonly written: string; readonly problem: string };

/**
 * Runs a command of the `pulumi` on PATH in the working directory. It is not asked to show secrets, so what it writes has none.
 *
 * @param args A command, and its arguments: no message has these, as one may be a secret.
 * @throws InterruptedError if the user ends it.
 * @throws Error if there is no such program.
 */
export async function runPulumi(
  args: readonly string[],
  { environment, interrupt }: Pick<Terminal, "environment" | "interrupt">,
): Promise<PulumiResult> {
  const command = args
    .slice(0, 2)
    .filter((arg) => !arg.startsWith("-"))
    .join(" ");
  const all = [...args.slice(0, 2), "--non-interactive", ...args.slice(2)];
  const cli = spawn("pulumi", all, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment },
    signal: interrupt,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    cli.once("error", (error) => {
      if (interrupt.aborted) reject(new InterruptedError(`pulumi ${command} was interrupted`));
      reject(new Error(`pulumi cannot be run: ${errorText(error)}. Next: install it`, { cause: error }));
    });
    cli.once("close", resolve);
  });
  const [written, said, ended] = await Promise.all([text(cli.stdout), text(cli.stderr), code]);
  if (interrupt.aborted) throw new InterruptedError(`pulumi ${command} was interrupted`);
  if (ended === 0) return { ok: true, written };
  const lines = said.trim().split("\n").slice(-shownLines).join("\n");
  return {
    ok: false,
    written,
    problem: `pulumi ${command} ended with ${ended ?? "a signal"}${lines === "" ? ", and said nothing" : `:\n${lines}`}`,
  };
}
