import { DriverError } from "../../common/driver-error";
import type { Session } from "./session";

/**
 * Checks that a database can tell a name. Names are kept for the whole server in the bytes of the database from which they
 * were written: another one, of another encoding, takes them for another name.
 *
 * @param session - in the maintenance database.
 * @param encoding - that of the database to be made.
 * @throws DriverError `invalid-argument` for a name beyond ASCII, unless both databases have UTF8.
 */
export async function requireNameInEncoding(
  session: Session,
  field: string,
  name: string,
  encoding: string,
): Promise<void> {
  if (isAscii(name)) return;
  const [row] = await session.query(
    `SELECT pg_char_to_encoding($1::name) = pg_char_to_encoding('UTF8')
      AND current_setting('server_encoding') = 'UTF8' AS "isUtf8"`,
    [encoding],
  );
  requireUtf8(field, row?.["isUtf8"]);
}

/** The same for a database that is there. */
export async function requireNameInDatabase(
  session: Session,
  field: string,
  name: string,
  database: string,
): Promise<void> {
  if (isAscii(name)) return;
  const [row] = await session.query(
    `SELECT bool_and(pg_encoding_to_char(encoding) = 'UTF8') AS "isUtf8" FROM pg_database
      WHERE datname::text IN (current_database()::text, $1::text)`,
    [database],
  );
  requireUtf8(field, row?.["isUtf8"]);
}

function requireUtf8(field: string, isUtf8: unknown): void {
  if (isUtf8 === true) return;
  throw new DriverError(
    "invalid-argument",
    `${field} has non-ASCII characters, which only databases with the encoding UTF8 can tell, but this one or the ` +
      "maintenance database has another encoding",
  );
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
