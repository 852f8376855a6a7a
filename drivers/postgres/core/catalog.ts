import {
  type AccountRecord,
  type DeploymentRecord,
  parseAccountRecord,
  parseDeploymentRecord,
} from "./record";
import { type Session, textIn } from "./session";

/** What the server knows of the database of a deployment and of the role that owns it. */
export interface Found {
  /** The owner's role, where there is one of that name. */
  readonly role: { readonly record: DeploymentRecord | undefined } | undefined;
  readonly database: FoundDatabase | undefined;
}

/** A database of the name of a deployment. */
export interface FoundDatabase {
  /** Whether the owner's role of the deployment owns it. */
  readonly ours: boolean;
  /** A drop that was cut short has left it: nobody can connect to it any more. */
  readonly broken: boolean;
}

/** A role of the name of an account. */
export interface FoundRole {
  readonly oid: string;
  readonly record: AccountRecord | undefined;
}

/** `datconnlimit` of a database whose drop was cut short. */
const BROKEN = -2;

/** Looks for a database and for the role that is to own it. Names are compared as texts: a name that is too long is none. */
export async function findDeployment(session: Session, database: string, ownerRole: string): Promise<Found> {
  const [role] = await session.query(
    "SELECT shobj_description(oid, 'pg_authid') AS record FROM pg_roles WHERE rolname::text = $1::text",
    [ownerRole],
  );
  const [found] = await session.query(
    `SELECT datconnlimit AS limit, (SELECT rolname FROM pg_roles r WHERE r.oid = datdba)::text = $2::text AS ours
      FROM pg_database WHERE datname::text = $1::text`,
    [database, ownerRole],
  );
  return {
    role: role && { record: parseDeploymentRecord(textIn(role, "record")) },
    database: found && { ours: found["ours"] === true, broken: found["limit"] === BROKEN },
  };
}

/** Looks for the role of an account. */
export async function findRole(session: Session, name: string): Promise<FoundRole | undefined> {
  const [role] = await session.query(
    "SELECT oid::text, shobj_description(oid, 'pg_authid') AS record FROM pg_roles WHERE rolname::text = $1::text",
    [name],
  );
  return role && { oid: textIn(role, "oid"), record: parseAccountRecord(textIn(role, "record")) };
}

/** The accounts of a deployment, sorted: roles that bear the driver's record, whatever else became of them. */
export async function accountsOf(session: Session, driver: string, deployment: string): Promise<string[]> {
  const roles = await session.query(
    `SELECT rolname::text AS name, shobj_description(oid, 'pg_authid') AS record FROM pg_roles
      WHERE shobj_description(oid, 'pg_authid') LIKE '{"kind":"account"%' ORDER BY rolname`,
  );
  return roles
    .filter((role) => {
      const record = parseAccountRecord(textIn(role, "record"));
      return record?.driver === driver && record.deployment === deployment;
    })
    .map((role) => textIn(role, "name"));
}

/** Up to three things that users have made in the database of the session, not counting what extensions brought. */
export async function contentsOf(session: Session): Promise<string[]> {
  const rows = await session.query(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
      UNION ALL SELECT format('large object %s', oid) FROM pg_largeobject_metadata ORDER BY 1 LIMIT 3`,
  );
  return rows.map((row) => textIn(row, "name"));
}

/** A database in which a role owns things or has rights of its own. */
export interface Holding {
  readonly database: string;
  /** How many things it owns there; default rights, which the driver gives, are none. */
  readonly owned: number;
}

/** Where a role owns things or has rights of its own, in any database of the server. */
export async function holdingsOf(session: Session, roleOid: string): Promise<Holding[]> {
  const rows = await session.query(
    `SELECT datname::text AS database, count(*) FILTER (WHERE deptype = 'o' AND classid <> 'pg_default_acl'::regclass)::int AS owned
      FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
      WHERE refclassid = 'pg_authid'::regclass AND refobjid = $1::oid GROUP BY datname ORDER BY datname`,
    [roleOid],
  );
  return rows.map((row) => ({ database: textIn(row, "database"), owned: Number(row["owned"]) }));
}
