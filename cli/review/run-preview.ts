import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { errorText } from "../../provider/dynamic/error-text";
import type { Terminal } from "../command";
import { PreviewError, readPreview } from "./preview";

/** So many of the last lines of a preview that failed are shown. */
const shownLines = 20;

/**
 * Runs `pulumi preview --json` in the working directory.
 *
 * @param args Further arguments: `--stack`, `--refresh`.
 * @returns What it wrote to standard output.
 * @throws PreviewError if it cannot be run, or fails.
 */
export async function runPreview(
  args: readonly string[],
  { environment, interrupt }: Pick<Terminal, "environment" | "interrupt">,
): Promise<string> {
  const all = ["preview", "--json", "--non-interactive", ...args];
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
    // What a preview with --json says of its errors stands in its document.
    if (written.includes("{")) readPreview(written, "this folder");
    const lines = said.trim().split("\n").slice(-shownLines).join("\n");
    throw new PreviewError(`pulumi ${all.join(" ")} ended with ${ended ?? "a signal"}:\n${lines}`);
  } catch (error) {
    if (error instanceof PreviewError) throw error;
    throw new PreviewError(
      `pulumi cannot be run: ${errorText(error)}. Next: install it, or pipe in what pulumi preview --json writes: ` +
        "pulumi-cosi review -",
    );
  }
}
