import type { GrantedAccess } from "../contracts/contract";
import type { DriverReference } from "../driver-resource/reference";
import { hasNoLimits, mapBytes, maximumMapBytes, maximumStringBytes } from "./limits";
import { warn } from "../run/warning";

/** Bucket ids of the next contract, cosi.v1alpha2. */
const nextContractId = /^[a-zA-Z0-9/._-]{1,2048}$/;

/** What the user may want to know of an id that a driver or a backend issued; it is used as it is in any case. */
export interface IssuedId {
  /** `bucket`, `access`. */
  readonly kind: string;
  /** Name of the bucket or account. */
  readonly name: string;
  /** The field, or the input, that has the id. */
  readonly field: string;
  readonly id: string;
  readonly driver: DriverReference;
}

/**
 * Warns of an id that is longer than the contract allows a field to be. What a driver issued is exempt from the limit:
 * refused, it would be a bucket or an account that nobody can remove.
 */
export function warnOfLongId({ kind, name, field, id, driver }: IssuedId): boolean {
  const bytes = Buffer.byteLength(id);
  if (hasNoLimits(driver) || bytes <= maximumStringBytes) return false;
  warn(
    kind,
    name,
    `${field} has ${bytes} bytes, and the contract allows ${maximumStringBytes}; it is kept and sent as it is`,
  );
  return true;
}

const driversWarnedOf = new Set<string>();

/**
 * Warns of a bucket's id that the next contract does not allow. Nothing follows from it today, and such a driver gives
 * every bucket such an id: so one line per run and driver, in a run that records an id.
 */
function warnOfOddId({ id, driver: { driverName, contract } }: IssuedId): void {
  if (contract !== "cosi.v1alpha1" || nextContractId.test(id) || driversWarnedOf.has(driverName)) return;
  driversWarnedOf.add(driverName);
  warn(
    "driver",
    driverName,
    `bucket ids such as ${JSON.stringify(id)} do not fit cosi.v1alpha2, which takes 1 to 2048 letters, digits, "/", ` +
      '".", "_" and "-"; with cosi.v1alpha1 they work as they are',
  );
}

/** Warns of the id of a bucket, in the run that records it. */
export function warnOfBucketId(issued: IssuedId): void {
  if (!warnOfLongId(issued)) warnOfOddId(issued);
}

/** Warns of credentials that are larger than the contract allows a map to be; they are taken as they are. */
export function warnOfLargeCredentials(
  name: string,
  credentials: GrantedAccess["credentials"],
  driver: DriverReference,
): void {
  if (hasNoLimits(driver)) return;
  for (const [entry, secrets] of credentials) {
    const bytes = mapBytes(secrets);
    if (bytes <= maximumMapBytes) continue;
    warn(
      "access",
      name,
      `the credentials ${JSON.stringify(entry)} have ${bytes} bytes in their keys and values, and the contract allows ` +
        `${maximumMapBytes}; they are taken as they are`,
    );
  }
}
