/** How {@link runChild} starts a process. */
export interface ChildOptions {
  /** @default the working directory of this process */
  readonly cwd?: string;
  /** The whole environment. @default that of this process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A file that takes stdout and stderr. @default both go where this process's go */
  readonly log?: string;
  /**
   * The child is a Node program that ends its own children (see shutdown.mjs): only itself is signalled, and it learns
   * through a channel when this process is gone.
   * @default false: the child's whole process group is signalled
   */
  readonly ownsChildren?: boolean;
  /** Called with the pid as soon as the process runs. */
  readonly onStart?: (pid: number) => void;
  /** Called with what a child that `ownsChildren` sends over its channel. */
  readonly onMessage?: (message: unknown) => void;
}

/** How a process ended: one of the two is `null`. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs a program to its end. When this run is ended meanwhile, the child gets the same signal, then SIGKILL after a
 * bound, and the promise stays open, so that no later step begins.
 *
 * @throws Error when the program cannot be started.
 */
export function runChild(command: string, args: readonly string[], options?: ChildOptions): Promise<ChildEnd>;

/** The last lines of a log, for an error message; a note when there is none. */
export function lastLines(log: string, count?: number): Promise<string>;
