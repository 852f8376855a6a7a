import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { errorText } from "../../provider/dynamic/error-text";
import type { Terminal } from "../command";
import { GraphInputError } from "./resource";

/** So many of the last lines of an export that failed are shown. */
const shownLines = 20;

/**
 * Runs `pulumi stack export` in the working directory; secrets stay encrypted.
 *
 * @param args Further arguments: `--stack`.
 * @returns What it wrote to standard output.
 * @throws GraphInputError if it cannot be run, or fails.
 */
export async function runExport(
  args: readonly string[],
  { environment, interrupt }: Pick<Terminal, "environment" | "interrupt">,
): Promise<string> {
  const all = ["stack", "export", "--non-interactive", ...args];
  const cli = spawn("pulumi", all, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment },
    signal: interrupt,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    cli.once("error", reject);
    cli.once("close", resolve);
  });
  try {
    const [written, said, ended] = await Promise.all([text(cli.stdout), text(cli.stderr), code]);
    if (ended === 0) return written;
    const lines = said.trim().split("\n").slice(-shownLines).join("\n");
    throw new GraphInputError(`pulumi ${all.join(" ")} ended with ${ended ?? "a signal"}:\n${lines}`);
  } catch (error) {
    if (error instanceof GraphInputError) throw error;
    throw new GraphInputError(
      `pulumi cannot be run: ${errorText(error)}. Next: install it, or pipe in what pulumi stack export writes: ` +
        "pulumi-cosi graph -",
    );
  }
}
