import { randomBytes } from "node:crypto";
import { Client, escapeIdentifier } from "pg";
import type { DriverGrantDeploymentAccessResponse } from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { PostgresAccess } from "../../../../tools/local/postgres-access";

/** How somebody logs in. */
export interface Login {
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/** Looks at a real server, and changes it behind the driver's back, as its administrator. */
export class PostgresAdmin {
  /** All names of one test file begin so: the server may have other databases. */
  readonly #prefix = `t${randomBytes(4).toString("hex")}`;
  #count = 0;

  constructor(private readonly access: PostgresAccess) {}

  /** A name that no other test has. */
  name(): string {
    return `${this.#prefix}-${++this.#count}`;
  }

  /** The rows of a query, in a database. */
  async query(text: string, database = "postgres"): Promise<Record<string, unknown>[]> {
    const { user, password } = this.access;
    return this.queryAs({ database, user, password }, text);
  }

  /** The rows of a query, as somebody else. */
  async queryAs(login: Login, text: string): Promise<Record<string, unknown>[]> {
    const client = await this.connect(login);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** An open session. */
  async connect(login: Login): Promise<Client> {
    const { host, port } = this.access;
    const client = new Client({ host, port, ssl: false, ...login });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  /** What keeps somebody from a statement: the server's code, or undefined if nothing does. */
  async obstacle(login: Login, text = "SELECT 1"): Promise<string | undefined> {
    return this.queryAs(login, text).then(
      () => undefined,
      (error: unknown) =>
        error instanceof Error && "code" in error ? String(error.code) : `no code: ${String(error)}`,
    );
  }

  async databases(name: string): Promise<number> {
    return (await this.query(`SELECT FROM pg_database WHERE datname = '${name}'`)).length;
  }

  /** The roles whose record names a deployment, or whose names hold the text. */
  async roles(text: string): Promise<string[]> {
    const rows = await this.query(
      `SELECT rolname FROM pg_roles WHERE rolname LIKE '%${text}%'
        OR shobj_description(oid, 'pg_authid') LIKE '%"${text}"%' ORDER BY 1`,
    );
    return rows.map(({ rolname }) => String(rolname));
  }

  /** All that a call could have changed of a database and of roles: equal before and after means untouched. */
  async look(name: string): Promise<unknown> {
    const database = await this.query(
      `SELECT d.*, shobj_description(oid, 'pg_database') FROM pg_database d WHERE datname = '${name}'`,
    );
    const roles = await this.query(
      `SELECT a.*, shobj_description(oid, 'pg_authid') FROM pg_authid a WHERE rolname LIKE '%${name}%' ORDER BY 1`,
    );
    const members = await this.query("SELECT * FROM pg_auth_members ORDER BY 1");
    return { database, roles, members };
  }

  /** Removes every database and role of this test file. */
  async cleanUp(): Promise<void> {
    const like = `LIKE '%${this.#prefix}%'`;
    for (const { datname } of await this.query(`SELECT datname FROM pg_database WHERE datname ${like}`)) {
      await this.query(`DROP DATABASE ${escapeIdentifier(String(datname))} WITH (FORCE)`);
    }
    for (const { rolname } of await this.query(`SELECT rolname FROM pg_roles WHERE rolname ${like}`)) {
      const role = escapeIdentifier(String(rolname));
      await this.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  }
}

/** The login of a grant's reply. */
export function loginOf({ credentials }: DriverGrantDeploymentAccessResponse): Login {
  const secrets = credentials.get("postgres")?.secrets;
  const value = (key: string) => secrets?.get(key) ?? "";
  return { database: value("PGDATABASE"), user: value("PGUSER"), password: value("PGPASSWORD") };
}
