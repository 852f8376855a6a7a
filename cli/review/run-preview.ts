import { errorText } from "../../provider/dynamic/error-text";
import type { Terminal } from "../command";
import { InterruptedError } from "../interrupted-error";
import { runPulumi, type PulumiResult } from "../run-pulumi";
import { PreviewError, readPreview } from "./preview";

/** What a review needs and Pulumi leaves out otherwise: what leaves with a replacement, and what keeps another one's bucket. */
const shown = ["--show-replacement-steps", "--show-sames"];

/**
 * Runs `pulumi preview --json` in the working directory.
 *
 * @param args Further arguments: `--stack`, `--refresh`.
 * @returns What it wrote to standard output.
 * @throws PreviewError if it cannot be run, or fails.
 */
export async function runPreview(
  args: readonly string[],
  terminal: Pick<Terminal, "environment" | "interrupt">,
): Promise<string> {
  let result: PulumiResult;
  try {
    result = await runPulumi(["preview", "--json", ...shown, ...args], terminal);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const other = "or pipe in what pulumi preview --json writes: pulumi-cosi review -";
    throw new PreviewError(`${errorText(error)}, ${other}`);
  }
  const { written } = result;
  if (result.ok) return written;
  // What a preview with --json says of its errors stands in its document, if it came to one.
  if (written.includes('"diagnostics"')) readPreview(written, "this folder");
  throw new PreviewError(result.problem);
}
