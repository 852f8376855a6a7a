import type { Tool } from "./tool";
import type { Report, ToolSource } from "./tool-source";

/** A tool that is there and runs. */
export interface ProvidedTool {
  readonly name: string;
  readonly version: string;
  /** Absolute path of the program. */
  readonly path: string;
  /** Where it came from: "yours", "cache", "release", "built". */
  readonly source: string;
}

/** No source has the tool: the message says what was tried, why each failed and what to do. */
export class ToolUnavailableError extends Error {
  override readonly name = "ToolUnavailableError";
}

/**
 * Asks the sources for a tool, one after the other, until one has it.
 *
 * @throws ToolUnavailableError when none has it.
 */
export async function provideFrom(
  sources: readonly ToolSource[],
  tool: Tool,
  report: Report,
): Promise<ProvidedTool> {
  const tried: string[] = [];
  const remedies: string[] = [];
  for (const source of sources) {
    const answer = await source.find(tool, report);
    if (answer.path !== undefined) {
      return { name: tool.name, version: answer.version, path: answer.path, source: source.label };
    }
    tried.push(`  - ${source.description}: ${answer.reason}`);
    if (answer.remedy !== undefined) remedies.push(answer.remedy);
  }
  throw new ToolUnavailableError(
    [
      `${tool.name} ${tool.version} cannot be had. Tried, in this order:`,
      ...tried,
      "What helps, one of:",
      ...remedies.map((remedy) => `  - ${remedy}`),
    ].join("\n"),
  );
}
