import { errorText } from "../../provider/dynamic/error-text";
import type { Terminal } from "../command";
import { InterruptedError } from "../interrupted-error";
import { runPulumi, type PulumiResult } from "../run-pulumi";
import { GraphInputError } from "./resource";

/**
 * Runs `pulumi stack export` in the working directory; secrets stay encrypted.
 *
 * @param args Further arguments: `--stack`.
 * @returns What it wrote to standard output.
 * @throws GraphInputError if it cannot be run, or fails.
 */
export async function runExport(
  args: readonly string[],
  terminal: Pick<Terminal, "environment" | "interrupt">,
): Promise<string> {
  let result: PulumiResult;
  try {
    result = await runPulumi(["stack", "export", ...args], terminal);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const other = "or pipe in what pulumi stack export writes: pulumi-cosi graph -";
    throw new GraphInputError(`${errorText(error)}, ${other}`);
  }
  if (result.ok) return result.written;
  throw new GraphInputError(result.problem);
}
