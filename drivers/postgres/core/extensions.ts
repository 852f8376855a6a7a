import { DriverError } from "../../common/driver-error";
import { quote } from "../../common/text";
import { type Session, textIn } from "./session";
import { identifier, sql } from "./sql";

/** An extension that the server has and that needs no superuser. */
export interface Extension {
  readonly name: string;
  /** Whether it says itself which schema it goes to. */
  readonly hasSchema: boolean;
}

/**
 * Looks extensions up, before anything is made for them.
 *
 * @throws DriverError `out-of-range` naming the first that the server does not have, or does not trust to those who are no
 * superusers: it could reach beyond its database.
 */
export async function requireExtensions(
  session: Session,
  names: readonly string[],
): Promise<readonly Extension[]> {
  if (names.length === 0) return [];
  const rows = await session.query(
    `SELECT v.name::text, v.trusted, v.schema IS NOT NULL AS "hasSchema" FROM pg_available_extension_versions v
      JOIN pg_available_extensions e ON e.name = v.name AND e.default_version = v.version
      WHERE v.name::text = ANY ($1::text[])`,
    [names],
  );
  return names.map((name) => {
    const row = rows.find((candidate) => textIn(candidate, "name") === name);
    const wrong =
      row === undefined
        ? "the server does not have the extension"
        : row["trusted"] === true
          ? undefined
          : "the extension is not a trusted one, so only a superuser may install it";
    if (wrong !== undefined) {
      throw new DriverError("out-of-range", `parameters: key "extensions": ${quote(name)}: ${wrong}`);
    }
    return { name, hasSchema: row?.["hasSchema"] === true };
  });
}

/** Statements that install extensions in the database of the session, as a role that is no superuser. */
export function extensionStatements(extensions: readonly Extension[], admin: string): readonly string[] {
  if (extensions.length === 0) return [];
  return [
    sql`SET LOCAL ROLE ${identifier(admin)}`,
    ...extensions.map(({ name, hasSchema }) =>
      hasSchema
        ? sql`CREATE EXTENSION IF NOT EXISTS ${identifier(name)} CASCADE`
        : sql`CREATE EXTENSION IF NOT EXISTS ${identifier(name)} SCHEMA public CASCADE`,
    ),
    sql`SET LOCAL ROLE NONE`,
  ];
}
