import { randomBytes } from "node:crypto";
import { Client } from "pg";

import { withFreePorts } from "./free-ports";
import { startProcess, type ManagedProcess } from "./managed-process";
import { environmentOf, type Postgres, type PostgresAccess } from "./postgres-access";
import { prepareCluster, type ClusterOptions } from "./postgres-cluster";
import { givenPostgres } from "./postgres-given";
import { createRunFolder } from "./run-folder";

/** A server that was started here, with what only its starter sees. */
export interface LocalPostgres extends Postgres {
  /** Path of its log. */
  readonly log: string;
}

const USER = "postgres";

/**
 * Starts a PostgreSQL server on 127.0.0.1, which wants a password (SCRAM) of everyone. Several can run side by side. Started
 * by root, it runs as `nobody`.
 *
 * With `PULUMI_COSI_TEST_POSTGRES_HOST` and its siblings set, that server is given instead and nothing is started.
 *
 * @throws Error when its programs are not installed for this platform, or it answers nothing in a minute.
 */
export async function startPostgres(): Promise<Postgres> {
  return givenPostgres(process.env) ?? startLocalPostgres();
}

/** Starts a server as {@link startPostgres} does, also when the user gives one. */
export function startLocalPostgres(options: ClusterOptions = {}): Promise<LocalPostgres> {
  return withFreePorts(1, ([port = 0]) => startAt(port, options));
}

async function startAt(port: number, options: ClusterOptions): Promise<LocalPostgres> {
  const folder = await createRunFolder("postgres");
  const access: PostgresAccess = {
    host: "127.0.0.1",
    port,
    user: USER,
    password: randomBytes(20).toString("hex"),
  };
  let server: ManagedProcess | undefined;
  const stop = async () => {
    if (server !== undefined) await end(server);
    await folder.remove();
  };
  try {
    server = await startProcess({
      name: "postgres",
      ...(await prepareCluster(folder.path, access, options)),
      cwd: folder.path,
      folder: folder.path,
      ready: () => answers(access),
    });
    return { ...access, local: true, environment: environmentOf(access), log: server.log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(access: PostgresAccess): Promise<boolean> {
  const client = new Client({ ...access, database: "postgres", ssl: false, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return true;
  } finally {
    await client.end();
  }
}

/** Ends a server without waiting for its clients and without saving what is to be thrown away. */
async function end(server: ManagedProcess): Promise<void> {
  try {
    process.kill(server.pid, "SIGQUIT");
  } catch {
    // It has ended already.
  }
  await server.stop();
}
