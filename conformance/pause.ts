import { setTimeout as wait } from "node:timers/promises";
import { NotJudgedError } from "./not-judged-error";

/** Waits so many milliseconds. @throws NotJudgedError as soon as the run is interrupted. */
export async function pause(milliseconds: number, interrupt: AbortSignal): Promise<void> {
  try {
    await wait(milliseconds, undefined, { signal: interrupt });
  } catch {
    throw new NotJudgedError("the run was interrupted");
  }
}
