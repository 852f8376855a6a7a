import { bareCalls, type BareCalls } from "../parts/bare-calls";
import { Stack } from "../../tools/local/stack";
import { sourceOf, type ProgramName } from "../programs";
import { commands, Life, type Cycle, type Parts } from "./cycle";
import type { Shape } from "./shape";

/** One life of each program, side by side, and the calls alone. */
export interface Pair {
  readonly claims: Cycle;
  readonly plain: Cycle;
  readonly bare: BareCalls;
}

/** What is measured at a size. */
export interface SizeOptions {
  readonly n: number;
  readonly shape: Shape;
  /** Whether the file backend writes a checkpoint after each step. */
  readonly checkpoints: boolean;
  /** Part of the driver's calls that fail the first time. @default 0 */
  readonly failing?: number;
}

/** Runs both programs command by command, so that what else the machine does meets both. */
export async function measurePair(
  parts: Parts,
  { n, shape, checkpoints, failing }: SizeOptions,
): Promise<Pair> {
  const variables = {
    BENCH_CLAIMS: String(n),
    BENCH_SHAPE: JSON.stringify(shape),
    ...(checkpoints ? {} : withoutCheckpoints),
  };
  const stacks = { plain: await createStack("plain", parts), claims: await createStack("claims", parts) };
  try {
    const lives = {
      plain: new Life(stacks.plain, parts, variables),
      claims: new Life(stacks.claims, parts, variables, failing),
    };
    for (const command of commands) {
      await lives.plain.run(command);
      await lives.claims.run(command);
    }
    await parts.driver.forget();
    const bare = await bareCalls(parts.driver.endpoint, n);
    return { claims: lives.claims.finished(), plain: lives.plain.finished(), bare };
  } finally {
    for (const stack of Object.values(stacks)) await stack.remove();
  }
}

/** The state is written at the end alone, as backends with a service behind them do in effect. */
export const withoutCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };

/** A stack of a program that finds the cluster and the driver. */
export function createStack(name: ProgramName, { kubeconfig, driver }: Parts): Promise<Stack> {
  return Stack.create({ source: sourceOf(name) }, { KUBECONFIG: kubeconfig, COSI_ENDPOINT: driver.endpoint });
}
