import { type Session, textIn } from "./session";
import { identifier, identifiers, sql } from "./sql";
import type { Leaver } from "./heirs";

/** Others who read a table wait behind an attempt to change its owner: so no attempt waits longer. */
const LOCK_TIMEOUT_MS = 1_000;

/** Has the transaction of the session give up soon on what others have locked. */
export async function waitShortly(inside: Session): Promise<void> {
  await inside.query(sql`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
}

/**
 * Hands over what a role owns in the database of the session, in a transaction.
 *
 * @param lenders - roles whose rights the heir needs meanwhile: who is to own a thing must be one who may make it there.
 */
export async function handOver(
  inside: Session,
  leaver: Leaver,
  heir: string,
  lenders: readonly string[],
): Promise<void> {
  const to = identifier(heir);
  if (lenders.length > 0) await inside.query(sql`GRANT ${identifiers(lenders)} TO ${to}`);
  // Before what is in them: it can go to those alone who may make things there.
  const schemas = await inside.query(
    "SELECT nspname::text AS name FROM pg_namespace WHERE nspowner = $1::oid",
    [leaver.oid],
  );
  for (const schema of schemas) {
    await inside.query(sql`ALTER SCHEMA ${identifier(textIn(schema, "name"))} OWNER TO ${to}`);
  }
  await inside.query(sql`REASSIGN OWNED BY ${identifier(leaver.name)} TO ${to}`);
  if (lenders.length > 0) await inside.query(sql`REVOKE ${identifiers(lenders)} FROM ${to}`);
}

/**
 * Ends the rights that a role has been given in the database of the session, and those to databases and the like. What it still
 * owns there is dropped: see `requireNothingLost`.
 */
export async function endRights(inside: Session, leaver: Leaver): Promise<void> {
  await inside.query(sql`DROP OWNED BY ${identifier(leaver.name)}`);
}
