import type { RpcName, RpcStage } from "../faults/rpc-proxy";

/** Something that went over a network between the parts of a run: a call, or a request to the API server. */
export interface Passage {
  /** `rpc create`, or method and path. */
  readonly what: string;
  /** It has not reached the other end yet, or has had its effect there and the answer is not sent. */
  readonly stage: RpcStage;
}

/** A moment of a run: the first passage of a kind, or the one with a number, counted from 0. */
export type Moment = (
  | { readonly rpc: RpcName; readonly stage: RpcStage }
  | { readonly request: RegExp; readonly stage: RpcStage }
  | { readonly passage: number }
) & {
  /** So many passages after that one. @default 0 */
  readonly later?: number;
  /** Only passages count that come once this call has had its effect. @default all */
  readonly since?: RpcName;
};

/**
 * What ends or is interrupted: everything that the command has started; the CLI, the host or the driver alone; the driver
 * for a moment only; or the command by Ctrl-C in its terminal.
 */
export const victims = [
  "all",
  "cli",
  "host",
  "driver",
  "driver for a moment",
  "interrupt",
  "interrupt twice",
] as const;
export type Victim = (typeof victims)[number];

/** A command that is struck at a moment. */
export interface Point {
  /** Name of the command. */
  readonly command: string;
  readonly moment: Moment;
  readonly victim: Victim;
}

/** A point, in words. */
export type NamedPoint = readonly [what: string, point: Point];

/** Points of one command, in words, with where they are. */
export function pointsOf(
  command: string,
  points: readonly (readonly [string, Moment, Victim])[],
): NamedPoint[] {
  return points.map(([what, moment, victim]) => [`${command}: ${what}`, { command, moment, victim }]);
}

/** Whether the last one of the passages of a run is the moment. */
export function isMoment(moment: Moment, passages: readonly Passage[]): boolean {
  const { since } = moment;
  const begin =
    since === undefined
      ? 0
      : passages.findIndex((passage) => isOfKind({ rpc: since, stage: "after" }, passage));
  if (begin < 0) return false;
  const first =
    "passage" in moment
      ? moment.passage
      : passages.findIndex((passage, index) => index >= begin && isOfKind(moment, passage));
  return first >= 0 && first + (moment.later ?? 0) === passages.length - 1;
}

function isOfKind(moment: Exclude<Moment, { readonly passage: number }>, { what, stage }: Passage): boolean {
  if (moment.stage !== stage) return false;
  return "rpc" in moment ? what === `rpc ${moment.rpc}` : moment.request.test(what);
}

/** A point with a number, as a text: `destroy/17/host`. */
export function pointText(command: string, passage: number, victim: Victim): string {
  return [command, passage, victim].join("/");
}

/** @throws Error if the text is none of {@link pointText}'s with a number. */
export function parsePoint(text: string): Point {
  const [command = "", passage = "", name = "", ...rest] = text.split("/");
  const victim = victims.find((each) => each === name);
  if (command === "" || !/^\d+$/.test(passage) || victim === undefined || rest.length > 0) {
    throw new Error(
      `${JSON.stringify(text)} is no point: give command/number/victim, with one of the victims ${victims.join(", ")}`,
    );
  }
  return { command, moment: { passage: Number(passage) }, victim };
}
