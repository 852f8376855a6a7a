import type { Stack } from "../../tools/local/stack";
import { measure } from "./command";
import { createStack } from "./size";
import type { Parts } from "./cycle";
import { secondsToFirstCreate, secondsToFirstRpc } from "./first-call";
import { shapeOf, type Shape } from "./shape";
import { stateSize, type StateSize } from "./state-size";

/** What programs of one and two claims tell. */
export interface Single {
  /** Of one claim with its access. */
  readonly shape: Shape;
  /** Bytes of the state that no claim adds. */
  readonly baseBytes: number;
  /** Types of the resources of one claim, in their order. */
  readonly types: readonly string[];
  /** Seconds to the first RPC of a program of one claim. */
  readonly start: readonly number[];
  /** Seconds to the first create of a bare program. */
  readonly bareStart: readonly number[];
}

const starts = 5;

/** Measures start-up, and looks at what one claim is made of. */
export async function measureSingle(parts: Parts): Promise<Single> {
  const stacks = [await createStack("claims", parts), await createStack("bare", parts)] as const;
  const [claims, bare] = stacks;
  try {
    const start: number[] = [];
    const bareStart: number[] = [];
    for (let index = 0; index < starts; index += 1) {
      bareStart.push(await secondsToFirstCreate(bare));
      start.push(await secondsToFirstRpc(claims, parts.driver));
    }
    const one = await stateOf(claims, 1);
    const two = await stateOf(claims, 2);
    await measure(claims, ["destroy", "--yes", "--skip-preview"]);
    return {
      shape: shapeOf(one.resources, two.resources),
      baseBytes: 2 * one.bytes - two.bytes,
      types: two.resources.filter(({ urn }) => urn.endsWith("-2")).map(({ type }) => type),
      start,
      bareStart,
    };
  } finally {
    for (const stack of stacks) await stack.remove();
  }
}

async function stateOf(stack: Stack, n: number): Promise<StateSize> {
  await measure(stack, ["up", "--yes", "--skip-preview"], { BENCH_CLAIMS: String(n) });
  return stateSize(stack);
}
