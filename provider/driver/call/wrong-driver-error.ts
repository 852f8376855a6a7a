import type { Protocol } from "../../contracts/contract";

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
  /** The input `driverName` for that driver. @default `reported` */
  readonly inputForReported?: string;
  /** Where the name is right and the protocol is not: that of the bucket, and those that the driver serves. */
  readonly protocols?: { readonly wanted: Protocol; readonly served: readonly Protocol[] };
  readonly endpoint: string;
  /** True if an earlier attempt of the call, at another driver process, may have had its effect. */
  readonly outcomeUnknown: boolean;
}

/** The call would have gone to another driver than the one that the object belongs to. */
export class WrongDriverError extends Error {
  override readonly name = "WrongDriverError";
  readonly outcomeUnknown: boolean;

  constructor(details: WrongDriver) {
    super(`${details.rpc} for ${details.subject} was not sent: ${reasonOf(details)}`);
    this.outcomeUnknown = details.outcomeUnknown;
  }
}

function reasonOf({ recorded, reported, inputForReported, protocols, endpoint }: WrongDriver): string {
  if (protocols !== undefined) {
    const served = protocols.served.length === 0 ? "none that is known here" : protocols.served.join(", ");
    return (
      `its bucket has protocol ${protocols.wanted}, but the driver at ${endpoint} says that it serves ${served}. ` +
      "Next: point the Driver at the driver for that protocol."
    );
  }
  return (
    `the object belongs to driver ${JSON.stringify(recorded)}, but the driver at ${endpoint} calls itself ` +
    `${JSON.stringify(reported)}. Next: point the Driver at the right endpoint, or, if the driver was renamed, set its ` +
    `input driverName to ${JSON.stringify(inputForReported ?? reported)}.`
  );
}
