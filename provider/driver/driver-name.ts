const form = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const maximumLength = 63;

/** True if a driver name follows the rules of the contract. Source: COSI specification, DriverGetInfo. */
export function isDriverName(name: string): boolean {
  return name.length <= maximumLength && form.test(name);
}

/** Driver names are compared without regard to case. */
export function sameDriverName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** The call would have gone to another driver than the one that the object belongs to. */
export class WrongDriverError extends Error {
  override readonly name = "WrongDriverError";

  constructor(
    rpc: string,
    subject: string,
    recorded: string,
    reported: string,
    endpoint: string,
    /** True if an earlier attempt of the call, at another driver process, may have had its effect. */
    readonly outcomeUnknown: boolean,
  ) {
    super(
      `${rpc} for ${subject} was not sent: the object belongs to driver ${JSON.stringify(recorded)}, but the driver at ` +
        `${endpoint} calls itself ${JSON.stringify(reported)}. Next: point the Driver at the right endpoint, or, if the ` +
        `driver was renamed, set its input driverName to ${JSON.stringify(reported)}.`,
    );
  }
}
