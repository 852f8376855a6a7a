import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { errorText } from "../provider/dynamic/error-text";
import type { Terminal } from "./command";

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
 * @throws Error if there is no such program, or it is interrupted.
 */
export async function runPulumi(
  args: readonly string[],
  { environment, interrupt }: Pick<Terminal, "environment" | "interrupt">,
): Promise<PulumiResult> {
  const all = [...args.slice(0, 2), "--non-interactive", ...args.slice(2)];
  const cli = spawn("pulumi", all, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment },
    signal: interrupt,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    cli.once("error", (error) => {
      reject(new Error(`pulumi cannot be run: ${errorText(error)}. Next: install it`, { cause: error }));
    });
    cli.once("close", resolve);
  });
  const [written, said, ended] = await Promise.all([text(cli.stdout), text(cli.stderr), code]);
  if (ended === 0) return { ok: true, written };
  const lines = said.trim().split("\n").slice(-shownLines).join("\n");
  return {
    ok: false,
    written,
    problem: `pulumi ${all.join(" ")} ended with ${ended ?? "a signal"}:\n${lines}`,
  };
}
