import { status } from "@grpc/grpc-js";
import type { Answer } from "../fake-driver";
import type { Refusal } from "../faults/api-proxy";
import type { Command } from "./commands";
import { knowGranted } from "./granted-secrets";
import { KillableCommand } from "./killable-command";
import type { Lane } from "./lane";
import { isMoment, type Moment, type Passage, type Victim } from "./point";

/** How a command ran that was struck, or only watched. */
export interface StruckRun {
  readonly code: number | null;
  readonly text: string;
  /** Everything that went over the networks, in its order. */
  readonly passages: readonly Passage[];
  /** The passage at which it was struck; `undefined` if the moment did not come. */
  readonly struckAt?: Passage;
}

/** What becomes of the passage at which the strike came: it goes on, or is lost. */
type Fate = "passes" | "lost";

const lostCall: Answer = { code: status.UNAVAILABLE, message: "the connection was lost" };
const lostRequest: Refusal = { code: 503, reason: "ServiceUnavailable", message: "the connection was lost" };

/** A time in which an interrupted command would do something hasty. */
const interruptedMs = 700;
const hostGoneMs = 300;

/** Runs a command, and strikes when the moment comes. @param strike Left out, everything passes. */
export async function runStruck(
  lane: Lane,
  { args, reads = false }: Command,
  strike?: { readonly moment: Moment; readonly victim: Victim },
): Promise<StruckRun> {
  const passages: Passage[] = [];
  let struckAt: Passage | undefined;
  let struck: Promise<Fate> | undefined;
  const command = new KillableCommand(lane.stack, args, lane.temporary);
  const pass = async (passage: Passage): Promise<Fate> => {
    passages.push(passage);
    if (strike === undefined || struckAt !== undefined) return "passes";
    if (!isMoment(strike.moment, passages)) return "passes";
    struckAt = passage;
    struck = hit(lane, command, strike.victim);
    return struck;
  };
  lane.rpc.at = async ({ rpc, stage, reply }) => {
    // A state that is never written does not have them.
    if (reply !== undefined) knowGranted(lane.stack, lane.subject, rpc, reply);
    return (await pass({ what: `rpc ${rpc}`, stage })) === "lost" ? lostCall : undefined;
  };
  lane.api.at = async ({ method, path, stage }) =>
    // Unless all have ended, it may be one of a part that lives; what a dead one sent, the proxy drops.
    (await pass({ what: `${method} ${path}`, stage })) === "lost" && strike?.victim === "all"
      ? lostRequest
      : undefined;
  lane.api.atRead = async (path) => {
    if (reads && [lane.subject.apiVersion, "secrets"].some((part) => `${path}/`.includes(`/${part}/`)))
      await pass({ what: `GET ${path}`, stage: "before" });
  };
  const { code, text } = await command.ended;
  await struck;
  await command.hostEnded();
  // Plugins of Pulumi's own outlive a killed CLI.
  command.killAll();
  await lane.calm();
  return { code, text, passages, ...(struckAt === undefined ? {} : { struckAt }) };
}

async function hit(lane: Lane, command: KillableCommand, victim: Victim): Promise<Fate> {
  switch (victim) {
    case "all":
      command.killAll();
      return "lost";
    case "host":
      command.kill("host");
      // Until its connections are closed here too.
      await pause(hostGoneMs);
      return "lost";
    case "cli":
      command.kill("cli");
      return "passes";
    case "driver":
      await lane.killDriver();
      return "lost";
    case "driver for a moment":
      await lane.killDriver();
      await lane.startDriver();
      return "lost";
    case "interrupt":
      command.interrupt();
      break;
    case "interrupt twice":
      command.interrupt();
      await pause(interruptedMs);
      command.interrupt();
      break;
  }
  await pause(interruptedMs);
  return "passes";
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
