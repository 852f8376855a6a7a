import { propertyName, wordsOf } from "../contracts/registry";
import type { CheckFailures } from "../dynamic/check-failures";
import { sharesIds } from "./contract-ids";
import { isOtherDriver } from "./driver-reference";
import type { DriverReference } from "./reference";

/** What the state has of a bucket or an access, as far as it is looked at here. */
interface Entry {
  readonly driver?: DriverReference;
  /** The name that was sent. */
  readonly name?: string;
}

/**
 * Refuses another contract of the Driver under a resource that is in the state: what was made by one contract can neither be
 * revoked nor deleted by another. At another Driver it is replaced, and its old one is spoken to as before.
 */
export function judgeContract(
  failures: CheckFailures,
  olds: Entry,
  driver: DriverReference,
  isAccess = false,
): void {
  const problem = contractChangeProblem(olds, driver, isAccess);
  if (problem !== undefined) failures.add("driver", problem);
}

function contractChangeProblem(
  { driver: before, name }: Entry,
  driver: DriverReference,
  isAccess: boolean,
): string | undefined {
  if (before === undefined || sharesIds(before.contract, driver.contract) || isOtherDriver(before, driver)) {
    return undefined;
  }
  const { object } = wordsOf(before);
  const what = `the ${isAccess ? "access" : object}${name === undefined ? "" : ` ${name}`}`;
  const there = isAccess
    ? "the access is made again there"
    : `the ${object} is taken over there by ${propertyName(before, "existingBucketId")}`;
  return (
    `now has the contract ${driver.contract}, but ${what} was made by ${before.contract}, whose ids mean nothing in ` +
    `another contract. Next: leave this Driver at ${before.contract}, and add a second Driver with ${driver.contract}; ${there}.`
  );
}
