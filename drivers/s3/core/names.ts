import { DriverError } from "../../common/driver-error";

/** Length limit of names in requests (specification, "Size Limits" and names: 63 characters in all lists). */
const MAX_NAME = 63;

/**
 * A name that the SDK puts into a path or a policy as it is. Stores judge further: most want lower case, three
 * characters at least and no underscore.
 */
const BUCKET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** What IAM allows in the name of a user, as the account's name becomes a part of one. */
const ACCOUNT_NAME = /^[A-Za-z0-9+=,.@_-]+$/;

/**
 * Checks the name of a bucket to be created.
 *
 * @throws DriverError `invalid-argument`
 */
export function checkBucketName(field: string, name: string): void {
  checkName(
    field,
    name,
    BUCKET_NAME,
    "letters, digits, dots, dashes and underscores, the first a letter or digit",
  );
}

/**
 * Checks the name of an account.
 *
 * @throws DriverError `invalid-argument`
 */
export function checkAccountName(field: string, name: string): void {
  checkName(field, name, ACCOUNT_NAME, "letters, digits and + = , . @ _ -");
}

/** True if a bucket of that id can exist; others need no request, and could mislead one. */
export function canBeBucket(id: string): boolean {
  return BUCKET_NAME.test(id);
}

function checkName(field: string, name: string, form: RegExp, words: string): void {
  if (name.length > MAX_NAME) {
    throw new DriverError(
      "invalid-argument",
      `${field} has ${name.length} characters, ${MAX_NAME} are allowed`,
    );
  }
  if (!form.test(name)) {
    throw new DriverError("invalid-argument", `${field} may have only ${words}`);
  }
}
