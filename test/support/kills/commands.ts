import type { ProgramChoice } from "./program";

/**
 * What is there before and after a command, as far as the next one has to know. Whatever leads to `standing` leaves the
 * same; a command that leaves something else has a condition of its own.
 */
export type Condition = "empty" | "standing" | "rotated";

/** A command of the CLI that is killed and run again. */
export interface Command {
  readonly name: string;
  /** Any of them; the first one is made where none is there. */
  readonly from: readonly [Condition, ...Condition[]];
  readonly to: Condition;
  readonly args: readonly string[];
  /** What it changes in the program. @default nothing */
  readonly change?: (choice: ProgramChoice) => ProgramChoice;
  /** Requests that read are moments of it too. @default false */
  readonly reads?: boolean;
}

const up = ["up", "--yes", "--skip-preview"];

/** In an order in which they can be run one after the other. */
export const commands: readonly Command[] = [
  { name: "up", from: ["empty"], to: "standing", args: up },
  // It writes nothing: moments of it are what it reads.
  {
    name: "refresh",
    from: ["standing"],
    to: "standing",
    args: ["refresh", "--yes", "--skip-preview"],
    reads: true,
  },
  {
    name: "replace-bucket",
    from: ["standing"],
    to: "standing",
    args: up,
    change: (choice) => ({ ...choice, bucketClass: choice.bucketClass === "gold" ? "silver" : "gold" }),
  },
  {
    name: "replace-access",
    from: ["standing"],
    to: "standing",
    args: up,
    change: (choice) => ({ ...choice, accessClass: choice.accessClass === "keys" ? "spare" : "keys" }),
  },
  {
    name: "rotate",
    from: ["standing"],
    to: "rotated",
    args: up,
    change: (choice) => ({ ...choice, rotation: "now" }),
  },
  {
    name: "destroy",
    from: ["standing", "rotated"],
    to: "empty",
    args: ["destroy", "--yes", "--skip-preview"],
  },
];

/** @throws Error if there is none. */
export function commandNamed(name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  throw new Error(
    `there is no command ${JSON.stringify(name)}: ${commands.map((each) => each.name).join(", ")}`,
  );
}
