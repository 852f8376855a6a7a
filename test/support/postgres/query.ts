import { Client } from "pg";
import type { PostgresAccess } from "../../../tools/local/postgres-access";

/** SQLSTATE of what an account may not do, and of a login that is refused. */
export const insufficientPrivilege = "42501";
export const refusedLogin = /^28/;

/** What a workload has of a database: libpq's variables. */
export type DatabaseEnvironment = Readonly<Record<string, string>>;

/**
 * Runs a statement by what a workload's environment says alone.
 *
 * @param database Another database than the one that is said there.
 */
export function queryAs(env: DatabaseEnvironment, sql: string, database?: string): Promise<unknown[]> {
  const access = {
    host: env["PGHOST"] ?? "",
    port: Number(env["PGPORT"]),
    user: env["PGUSER"] ?? "",
    password: env["PGPASSWORD"] ?? "",
  };
  return query(access, sql, database ?? env["PGDATABASE"] ?? "");
}

/** Runs a statement and gives its rows. */
export async function query(
  { host, port, user, password }: PostgresAccess,
  sql: string,
  database = "postgres",
): Promise<unknown[]> {
  const client = new Client({ host, port, user, password, database, ssl: false });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What drivers make at a server of its own: databases and roles that were not there at the start. */
export class PostgresContents {
  #before = new Set<string>();

  private constructor(private readonly access: PostgresAccess) {}

  static async of(access: PostgresAccess): Promise<PostgresContents> {
    const contents = new PostgresContents(access);
    contents.#before = new Set([...(await contents.databases()), ...(await contents.roles())]);
    return contents;
  }

  databases(): Promise<string[]> {
    return this.#names("SELECT datname AS name FROM pg_database");
  }

  /** All roles, those included that nobody can log in as. */
  roles(): Promise<string[]> {
    return this.#names("SELECT rolname AS name FROM pg_roles");
  }

  /** Roles that somebody can log in as. */
  logins(): Promise<string[]> {
    return this.#names("SELECT rolname AS name FROM pg_roles WHERE rolcanlogin");
  }

  async #names(sql: string): Promise<string[]> {
    const rows = (await query(this.access, sql)) as { name: string }[];
    return rows
      .map(({ name }) => name)
      .filter((name) => !this.#before.has(name))
      .sort();
  }
}
