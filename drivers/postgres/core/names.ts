import { DriverError } from "../../common/driver-error";

/** Longest name of a database or role in bytes: NAMEDATALEN less one. A server would cut a longer one without a word. */
const MAX_NAME_BYTES = 63;

/** Length limit of names in requests (requirements, "Decided values"). */
const MAX_NAME_CHARACTERS = 63;

/** The databases that every server has. */
const DATABASES: readonly string[] = ["postgres", "template0", "template1"];

/** Words that PostgreSQL takes as the name of no role, even in quotes. */
const NO_ROLES: readonly string[] = ["public", "none"];

/**
 * Checks the name of a database to be made.
 *
 * @throws DriverError `invalid-argument`
 */
export function checkDatabaseName(field: string, name: string, maintenanceDatabase: string): void {
  checkName(field, name);
  if (DATABASES.includes(name) || name === maintenanceDatabase || name.startsWith("pg_")) {
    throw new DriverError("invalid-argument", `${field} is reserved for a database of the server itself`);
  }
}

/**
 * Checks the name of an account, which becomes that of its role.
 *
 * @throws DriverError `invalid-argument`
 */
export function checkRoleName(field: string, name: string): void {
  checkName(field, name);
  if (NO_ROLES.includes(name) || name.startsWith("pg_")) {
    throw new DriverError("invalid-argument", `${field} is a name that PostgreSQL keeps for itself`);
  }
}

function checkName(field: string, name: string): void {
  if (name.length > MAX_NAME_CHARACTERS) {
    throw new DriverError(
      "invalid-argument",
      `${field} has ${name.length} characters, ${MAX_NAME_CHARACTERS} are allowed`,
    );
  }
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_NAME_BYTES) {
    throw new DriverError(
      "invalid-argument",
      `${field} has ${bytes} bytes, names at a PostgreSQL server have at most ${MAX_NAME_BYTES}`,
    );
  }
  if (/\p{Cc}/u.test(name)) {
    throw new DriverError("invalid-argument", `${field} has a control character`);
  }
}
