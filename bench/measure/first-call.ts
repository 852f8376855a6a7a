import * as fs from "node:fs";
import * as path from "node:path";
import type { Stack } from "../../tools/local/stack";
import type { DriverProcess } from "../parts/driver-process";
import { measure } from "./command";

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];

/** Seconds from the start of `up` of a program of one claim to the first RPC that its driver got. */
export async function secondsToFirstRpc(stack: Stack, driver: DriverProcess): Promise<number> {
  await driver.forget();
  const { startedAt } = await measure(stack, up, { BENCH_CLAIMS: "1" });
  const { firstAt } = await driver.calls();
  await measure(stack, destroy);
  if (firstAt === null) throw new Error("the driver was not called");
  return (firstAt - startedAt) / 1000;
}

/** Seconds from the start of `up` of a bare program to the call of its one dynamic resource. */
export async function secondsToFirstCreate(stack: Stack): Promise<number> {
  const note = path.join(stack.environment.folder, "note");
  const { startedAt } = await measure(stack, up, { BENCH_NOTE: note });
  const at = Number(fs.readFileSync(note, "utf8"));
  await measure(stack, destroy);
  return (at - startedAt) / 1000;
}
