/** Exit codes of `pulumi-cosi`. */
export const exitCodes = {
  /** The driver is compliant; all was done. */
  ok: 0,
  /** The driver is not compliant. */
  notCompliant: 1,
  /** Some of what was asked for could not be taken; the rest was. */
  leftOut: 1,
  /** What was to make the command fail was found. */
  found: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The work could not be done: the driver was not reached, or made no bucket; a file cannot be read or written. */
  cannotRun: 3,
  /** Ended by Ctrl-C, as a shell tells it. */
  interrupted: 130,
} as const;
