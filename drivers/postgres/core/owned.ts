import { DriverError } from "../../common/driver-error";
import { type Session, textIn } from "./session";

/**
 * What of a role's own is handed over: all but default rights and mappings of users, which have no meaning without it.
 * The catalogs that `pg_shdepend` names by `classid` have the same number in every database.
 */
const LASTING = "deptype = 'o' AND classid NOT IN ('pg_default_acl'::regclass, 'pg_user_mapping'::regclass)";

/** How many lasting things a role owns in the database of the session. */
export async function ownedHere(session: Session, roleOid: string): Promise<number> {
  const [row] = await session.query(
    `SELECT count(*)::int AS owned FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = $1::oid
      AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND ${LASTING}`,
    [roleOid],
  );
  return Number(row?.["owned"]);
}

/**
 * Makes sure, after `DROP OWNED BY` and before its transaction ends, that this has dropped no more than rights. It drops what
 * the role owns, also what has come since that was looked at and handed over: a transaction of somebody else who works as the
 * role can end at any moment. Others still see all that there was; each thing must still have an owner in here.
 *
 * @param inside - the session of the transaction.
 * @param witness - one outside of it, in any database.
 * @throws DriverError `aborted` if something would be lost.
 */
export async function requireNothingLost(inside: Session, witness: Session, roleOid: string): Promise<void> {
  const [here] = await inside.query("SELECT oid::text FROM pg_database WHERE datname = current_database()");
  const database = here === undefined ? "" : textIn(here, "oid");
  const before = await witness.query(
    `SELECT classid::oid::text AS class, objid::text AS object FROM pg_shdepend
      WHERE refclassid = 'pg_authid'::regclass AND refobjid = $1::oid AND dbid = $2::oid AND ${LASTING}`,
    [roleOid, database],
  );
  if (before.length === 0) return;
  const lost = await inside.query(
    `SELECT FROM unnest($1::oid[], $2::oid[]) AS b (class, object) WHERE NOT EXISTS (SELECT FROM pg_shdepend
      WHERE dbid = $3::oid AND classid = b.class AND objid = b.object AND deptype = 'o')`,
    [before.map((row) => textIn(row, "class")), before.map((row) => textIn(row, "object")), database],
  );
  if (lost.length === 0) return;
  throw new DriverError(
    "aborted",
    "somebody has just made something as the role that is being removed; call again",
  );
}
