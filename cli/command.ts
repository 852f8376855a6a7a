/** Where a command writes and what it is told from outside. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Reads all that is piped in; `undefined` where nothing is. */
  readonly input: (() => Promise<string>) | undefined;
  /** True if `err` is a terminal, on which progress can be shown. */
  readonly interactive: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Given when the user ends the command. */
  readonly interrupt: AbortSignal;
}

/** A subcommand of `pulumi-cosi`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly help: string;
  /** What it does when the user ends it: `Removing what was made`. @default it just ends */
  readonly interrupted?: string;
  /** @returns the exit code. @throws UsageError */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
