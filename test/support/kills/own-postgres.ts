import { Client } from "pg";
import { startLocalPostgres, type LocalPostgres } from "../../../tools/local/postgres";
import type { Folders } from "../../drivers/common/folders";
import { startDriver } from "../../drivers/postgres/support/driver-process";
import { PostgresAdmin } from "../../drivers/postgres/support/postgres-admin";
import type { Backend, BackendAccount, RunningDriver } from "./backend";
import { Newcomers } from "./newcomers";

/**
 * A PostgreSQL server that nobody else uses meanwhile; one that the user gives would be that of every lane. A server does not
 * tell what it keeps of a password: a key of it is a URL, and works if somebody who has it gets in.
 */
export class OwnPostgres implements Backend {
  readonly #own = new Newcomers();
  readonly #admin: PostgresAdmin;

  private constructor(private readonly server: LocalPostgres) {
    this.#admin = new PostgresAdmin(server);
  }

  static async start(): Promise<OwnPostgres> {
    const postgres = new OwnPostgres(await startLocalPostgres());
    await postgres.ignorePresent();
    return postgres;
  }

  get address(): string {
    return `${this.server.host}:${this.server.port}`;
  }

  async ignorePresent(): Promise<void> {
    this.#own.ignore([]);
    this.#own.ignore([...(await this.buckets()), ...(await this.#roles()).keys()]);
  }

  /** Names of databases. */
  async buckets(): Promise<string[]> {
    const rows = await this.query("SELECT datname FROM pg_database");
    return this.#own.among(rows.map(({ datname }) => String(datname)));
  }

  /** All roles: those of a deployment itself too, as which nobody can log in. */
  async accounts(): Promise<BackendAccount[]> {
    const roles = await this.#roles();
    return this.#own.among([...roles.keys()]).map((name) => ({
      name,
      liveKeys: roles.get(name) === true ? 1 : 0,
      accepts: (url) => logsIn(url, name),
    }));
  }

  /** Runs statements as the server's administrator. */
  query(text: string, database?: string): Promise<Record<string, unknown>[]> {
    return this.#admin.query(text, database);
  }

  startDriver({ socket, workFolder }: Folders): Promise<RunningDriver> {
    return startDriver(socket, { workFolder, env: this.server.environment });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Names of roles, each with whether it has a password and may log in. */
  async #roles(): Promise<Map<string, boolean>> {
    const rows = await this.query(
      "SELECT rolname, rolcanlogin AND rolpassword IS NOT NULL AS live FROM pg_authid",
    );
    return new Map(rows.map(({ rolname, live }) => [String(rolname), live === true]));
  }
}

/** Whether the URL is that of a role by which it gets in, and may work with what is there. */
async function logsIn(url: string, role: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ role: string; usable: boolean }>(
      "SELECT session_user AS role, has_schema_privilege('public', 'CREATE') AS usable",
    );
    return rows[0]?.role === role && rows[0].usable;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
