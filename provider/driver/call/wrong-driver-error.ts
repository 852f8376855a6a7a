/** A call that was not sent, and the two drivers. */
export interface WrongDriver {
  /** Name of the RPC, `DriverCreateBucket`. */
  readonly rpc: string;
  /** Bucket or account, as the user knows it. */
  readonly subject: string;
  /** Name of the driver that the object belongs to. */
  readonly recorded: string;
  /** Name that the driver behind the endpoint gives itself. */
  readonly reported: string;
  readonly endpoint: string;
  /** True if an earlier attempt of the call, at another driver process, may have had its effect. */
  readonly outcomeUnknown: boolean;
}

/** The call would have gone to another driver than the one that the object belongs to. */
export class WrongDriverError extends Error {
  override readonly name = "WrongDriverError";
  readonly outcomeUnknown: boolean;

  constructor({ rpc, subject, recorded, reported, endpoint, outcomeUnknown }: WrongDriver) {
    super(
      `${rpc} for ${subject} was not sent: the object belongs to driver ${JSON.stringify(recorded)}, but the driver at ` +
        `${endpoint} calls itself ${JSON.stringify(reported)}. Next: point the Driver at the right endpoint, or, if the ` +
        `driver was renamed, set its input driverName to ${JSON.stringify(reported)}.`,
    );
    this.outcomeUnknown = outcomeUnknown;
  }
}
