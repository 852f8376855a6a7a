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
  /** Whether it takes connections, of those who may connect. */
  readonly open: boolean;
}

/** The role of an account. */
export interface FoundRole {
  readonly oid: string;
  /** That of the account, unless somebody has renamed the role. */
  readonly name: string;
  readonly canLogin: boolean;
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
    `SELECT datconnlimit AS limit, datallowconn AS open,
      (SELECT rolname FROM pg_roles r WHERE r.oid = datdba)::text = $2::text AS ours
      FROM pg_database WHERE datname::text = $1::text`,
    [database, ownerRole],
  );
  return {
    role: role && { record: parseDeploymentRecord(textIn(role, "record")) },
    database: found && {
      ours: found["ours"] === true,
      broken: found["limit"] === BROKEN,
      open: found["open"] === true,
    },
  };
}

/** Looks for the role of an account: the one whose record names it, also under another name, else one of its name. */
export async function findRole(
  session: Session,
  driver: string,
  account: string,
): Promise<FoundRole | undefined> {
  const rows = await session.query(
    `SELECT oid::text, rolname::text AS name, rolcanlogin AS "canLogin", shobj_description(oid, 'pg_authid') AS record
      FROM pg_roles WHERE rolname::text = $1::text OR shobj_description(oid, 'pg_authid') LIKE '{"kind":"account"%'
      ORDER BY rolname::text = $1::text DESC, rolname`,
    [account],
  );
  const roles = rows.map((row) => ({
    oid: textIn(row, "oid"),
    name: textIn(row, "name"),
    canLogin: row["canLogin"] === true,
    record: parseAccountRecord(textIn(row, "record")),
  }));
  return (
    roles.find(({ record }) => record?.driver === driver && record.account === account) ??
    roles.find(({ name }) => name === account)
  );
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

/**
 * Up to three things that users have made in the database of the session. What an extension brings belongs to a superuser; what
 * somebody else has put into one is theirs, and would go with the database like the rest.
 */
export async function contentsOf(session: Session): Promise<string[]> {
  const rows = await session.query(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
      AND NOT EXISTS (SELECT FROM pg_depend d JOIN pg_roles r ON r.oid = c.relowner AND r.rolsuper
        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
      UNION ALL SELECT format('large object %s', oid) FROM pg_largeobject_metadata ORDER BY 1 LIMIT 3`,
  );
  return rows.map((row) => textIn(row, "name"));
}

/** A place where a role owns things or has rights of its own. */
export interface Holding {
  /** The database; undefined for what belongs to the whole server: databases, tablespaces, settings. */
  readonly database: string | undefined;
  /** How many things it owns there; default rights, which the driver gives, are none. */
  readonly owned: number;
}

/** Where a role owns things or has rights of its own, at the whole server. */
export async function holdingsOf(session: Session, roleOid: string): Promise<Holding[]> {
  const rows = await session.query(
    `SELECT datname::text AS database, count(*) FILTER (WHERE deptype = 'o' AND classid <> 'pg_default_acl'::regclass)::int AS owned
      FROM pg_shdepend s LEFT JOIN pg_database d ON d.oid = s.dbid
      WHERE refclassid = 'pg_authid'::regclass AND refobjid = $1::oid GROUP BY datname ORDER BY datname`,
    [roleOid],
  );
  return rows.map((row) => ({
    database: row["database"] === null ? undefined : textIn(row, "database"),
    owned: Number(row["owned"]),
  }));
}

/** The databases that a role owns. */
export async function databasesOf(session: Session, roleOid: string): Promise<string[]> {
  const rows = await session.query(
    "SELECT datname::text AS name FROM pg_database WHERE datdba = $1::oid ORDER BY datname",
    [roleOid],
  );
  return rows.map((row) => textIn(row, "name"));
}

/** Those of some roles that are there. */
export async function rolesNamed(
  session: Session,
  names: readonly string[],
): Promise<{ readonly oid: string; readonly name: string }[]> {
  const rows = await session.query(
    "SELECT oid::text, rolname::text AS name FROM pg_roles WHERE rolname::text = ANY ($1::text[]) ORDER BY 2",
    [names],
  );
  return rows.map((row) => ({ oid: textIn(row, "oid"), name: textIn(row, "name") }));
}
