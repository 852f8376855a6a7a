const form = /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const maximumLength = 63;

/** The rules for a driver name in words, for messages. */
export const driverNameForm = `1 to ${maximumLength} letters, digits, dashes and dots, letters or digits at the ends`;

/** True if a driver name follows the rules of the contract. Source: COSI specification, DriverGetInfo. */
export function isDriverName(name: string): boolean {
  return name.length <= maximumLength && form.test(name);
}

/** Driver names are compared without regard to case. */
export function sameDriverName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
