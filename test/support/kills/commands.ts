import type { ProgramChoice, Subject } from "./subject";

/**
 * What is there before and after a command, as far as the next one has to know. Whatever leads to `standing` leaves the
 * same; a command that leaves something else has a condition of its own.
 */
export type Condition = "empty" | "standing" | "rotated" | "shared" | "left";

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

/** Arguments of `up`, which most commands are. */
export const upArgs = ["up", "--yes", "--skip-preview"];

/** Arguments of `destroy`. */
export const destroyArgs = ["destroy", "--yes", "--skip-preview"];

/** What is killed of every program, in an order in which they can be run one after the other. */
export const commonCommands: readonly Command[] = [
  { name: "up", from: ["empty"], to: "standing", args: upArgs },
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
    args: upArgs,
    change: (choice) => ({ ...choice, bucketClass: choice.bucketClass === "gold" ? "silver" : "gold" }),
  },
  {
    name: "replace-access",
    from: ["standing"],
    to: "standing",
    args: upArgs,
    change: (choice) => ({ ...choice, accessClass: choice.accessClass === "keys" ? "spare" : "keys" }),
  },
];

/** @throws Error if there is none. */
export function commandNamed({ commands }: Pick<Subject, "commands">, name: string): Command {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  throw new Error(
    `there is no command ${JSON.stringify(name)}: ${commands.map((each) => each.name).join(", ")}`,
  );
}

/**
 * The fewest commands that lead from a condition to one of others.
 *
 * @returns Nothing for one of them itself.
 * @throws Error if none leads there.
 */
export function pathTo(
  { commands }: Pick<Subject, "commands">,
  start: Condition,
  ends: readonly Condition[],
): readonly Command[] {
  const paths = new Map<Condition, readonly Command[]>([[start, []]]);
  for (const [condition, path] of paths) {
    if (ends.includes(condition)) return path;
    for (const command of commands) {
      if (command.from.includes(condition) && !paths.has(command.to))
        paths.set(command.to, [...path, command]);
    }
  }
  throw new Error(`no command leads from ${start} to ${ends.join(" or ")}`);
}
