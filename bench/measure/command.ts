import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import type { Stack } from "../../tools/local/stack";
import { ProcessTree, roles, type Role, type RoleUsage } from "./process-tree";

/** What one command of Pulumi's CLI cost, with all the processes that it started. */
export interface CommandCost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly byRole: Readonly<Record<Role, RoleUsage>>;
  /** Milliseconds of the epoch at its start. */
  readonly startedAt: number;
}

/**
 * Runs a command that must succeed, and measures it.
 *
 * @param variables Environment beside the stack's own.
 * @throws Error with what it printed when it fails.
 */
export async function measure(
  stack: Stack,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandCost> {
  const startedAt = Date.now();
  const before = performance.now();
  const cli = spawn(stack.environment.pulumi, ["--non-interactive", ...args], {
    cwd: stack.folder,
    env: { ...stack.environment.env, ...stack.variables, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  for (const output of [cli.stdout, cli.stderr]) output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => {
    cli.once("error", reject);
    cli.once("close", resolve);
  });
  const tree = cli.pid === undefined ? undefined : new ProcessTree(cli.pid);
  const code = await ended;
  const wallSeconds = (performance.now() - before) / 1000;
  const byRole = tree?.stop();
  if (code !== 0 || byRole === undefined) {
    const text = Buffer.concat(chunks).toString();
    throw new Error(`pulumi ${args.join(" ")} ended with ${code ?? "a signal"}:\n${text.slice(-20_000)}`);
  }
  const cpuSeconds = roles.reduce((sum, role) => sum + byRole[role].cpuSeconds, 0);
  return { wallSeconds, cpuSeconds, byRole, startedAt };
}
