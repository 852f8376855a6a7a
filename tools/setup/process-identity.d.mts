/** One process of one machine, told apart from a later process that got the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own terms: only ever compared. */
  readonly started: string;
  /** The boot and the pid namespace, or else the machine's name: a pid means nothing outside of them. */
  readonly host: string;
}

/**
 * Reads the identity of a running process.
 *
 * @returns `undefined` when no such process runs; a zombie has ended and counts as none.
 */
export function identityOf(pid: number): ProcessIdentity | undefined;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity;

/** The `host` of this process. */
export function ownHost(): string;

/**
 * Whether exactly this process still runs: a recycled pid has another start time, so it is not.
 * Only meaningful when `identity.host` is {@link ownHost}.
 */
export function isRunning(identity: ProcessIdentity): boolean;
