/** Where a PostgreSQL server is, and who administers it. */
export interface PostgresAccess {
  readonly host: string;
  readonly port: number;
  /** A superuser, or a role with CREATEDB and CREATEROLE. */
  readonly user: string;
  readonly password: string;
}

/** A PostgreSQL server that the tests and the examples make databases at. */
export interface Postgres extends PostgresAccess {
  /** Whether it was started here; `false` when `PULUMI_COSI_TEST_POSTGRES_HOST` gives a server of the user's. */
  readonly local: boolean;
  /** What a driver of this repository, or a client of libpq, needs in its environment to administer it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends what was started and removes its data; does nothing to a server of the user's. */
  readonly stop: () => Promise<void>;
}

/** The variables of libpq for an administrator in plain text, as on a loopback address. */
export function environmentOf({
  host,
  port,
  user,
  password,
}: PostgresAccess): Readonly<Record<string, string>> {
  return { PGHOST: host, PGPORT: `${port}`, PGUSER: user, PGPASSWORD: password, PGSSLMODE: "disable" };
}
