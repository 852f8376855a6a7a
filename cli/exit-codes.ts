/** Exit codes of `pulumi-cosi`. */
export const exitCodes = {
  /** The driver is compliant. */
  ok: 0,
  /** The driver is not compliant. */
  notCompliant: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The work could not be done: the driver was not reached, or it made no bucket. */
  cannotRun: 3,
  /** Ended by Ctrl-C, as a shell tells it. */
  interrupted: 130,
} as const;
