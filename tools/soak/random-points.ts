import fc from "fast-check";
import type { Reference } from "../../test/support/kills/harness";
import { pointText, victims } from "../../test/support/kills/point";

/** Every point of a command: each passage of its undisturbed run, with each victim. */
export function allPoints(command: string, { passages }: Reference): string[] {
  // A driver that is not called is nobody's loss.
  const calls = passages.some(({ what }) => what.startsWith("rpc "));
  const ends = victims.filter((victim) => calls || !victim.startsWith("driver"));
  return passages.flatMap((_, index) => ends.map((victim) => pointText(command, index, victim)));
}

/** So many of the points, none twice. The same seed picks the same of the same ones. */
export function pickPoints(points: readonly string[], seed: number, count: number): string[] {
  const length = Math.min(count, points.length);
  const some = fc.shuffledSubarray([...points], { minLength: length, maxLength: length });
  return fc.sample(some, { seed, numRuns: 1 }).flat();
}
