import type { Command, Terminal } from "./command";
import { conformance } from "./conformance";
import { exitCodes } from "./exit-codes";
import { graphCommand } from "./graph/command";
import { importClaims } from "./import-claims/command";
import { InterruptedError } from "./interrupted-error";
import { reviewCommand } from "./review/command";
import { UsageError } from "./usage-error";

const commands: readonly Command[] = [conformance, graphCommand, importClaims, reviewCommand];

function usage(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "pulumi-cosi <command> [options]",
    "",
    ...list,
    "",
    "pulumi-cosi <command> --help tells the options of a command.",
    "",
  ].join("\n");
}

/** What is said when the user ends a command line that has not come to its end. */
export function interruptText([name]: readonly string[]): string {
  const command = commands.find((known) => known.name === name);
  return `${command?.interrupted ?? "Ending"}; once more to leave it.`;
}

/** Runs a command line. @returns the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    terminal.out(usage());
    return exitCodes.ok;
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    if (name !== undefined) terminal.err(`pulumi-cosi has no command ${JSON.stringify(name)}\n\n`);
    terminal.err(usage());
    return exitCodes.usage;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (error instanceof InterruptedError) {
      terminal.err(`pulumi-cosi ${command.name}: ${error.message}\n`);
      return exitCodes.interrupted;
    }
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`pulumi-cosi ${command.name}: ${error.message}\n`);
    terminal.err(`Next: see pulumi-cosi ${command.name} --help.\n`);
    return exitCodes.usage;
  }
}
