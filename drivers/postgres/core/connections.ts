import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { Client } from "pg";
import type { Log } from "../../common/log";
import type { ServerConfig } from "../config";
import { Session } from "./session";

const CONNECT_TIMEOUT_MS = 10_000;

/** A server that has gone without a word is noticed about ten seconds after this. */
const KEEP_ALIVE_MS = 10_000;

/**
 * How long the server may take to let go of a lock, and to close a connection. Both are waited for, so that no call finds a place
 * taken by the one before it; not for ever, as a network that has gone without a word would hold the call that is done, those
 * behind it and the end of the driver.
 */
const GOODBYE_MS = 1_000;

/** How long a statement is waited for. It goes on at the server, and so do its locks: a repeat waits for its end. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** How long another process may hold what a call needs: less than the minute that callers give a call. */
const LOCK_TIMEOUT_MS = 20_000;

/**
 * Settings of each connection. A database may have settings of its own, by whoever owns it; sent with the connection, these
 * go before them. Names are looked up in the system's schema alone, so that nobody's function or operator gets in between.
 */
const OPTIONS = [
  "search_path=pg_catalog,pg_temp",
  "role=none",
  "default_transaction_read_only=off",
  "default_transaction_isolation=read\\ committed",
  "standard_conforming_strings=on",
  `lock_timeout=${LOCK_TIMEOUT_MS}`,
  "statement_timeout=0",
  "idle_in_transaction_session_timeout=0",
  "idle_session_timeout=0",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** What the client would else take from variables of libpq. */
const NOT_FROM_ENVIRONMENT = { sslnegotiation: "postgres", replication: "false" } as const;

/** Connections to a PostgreSQL server, as its administrator. */
export class Connections {
  constructor(
    private readonly config: ServerConfig,
    private readonly log: Log,
  ) {}

  /** The database from which others are made and dropped. */
  get maintenanceDatabase(): string {
    return this.config.maintenanceDatabase;
  }

  /** Runs a task with a connection to a database. */
  async connected<T>(database: string, task: (session: Session) => Promise<T>): Promise<T> {
    const socket = new Socket();
    const client = new Client({
      ...NOT_FROM_ENVIRONMENT,
      stream: () => socket,
      host: this.config.host,
      port: this.config.port,
      user: this.config.user,
      // As a function, or an empty one would have a file of passwords read.
      password: () => this.config.password,
      database,
      ssl: tlsOptions(this.config),
      application_name: "deployment-driver-postgres",
      options: OPTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    // A connection that is lost fails the statement that is under way, or the next one.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await task(new Session(client, database, this.log));
    } finally {
      await shortly(client.end());
      socket.destroy();
    }
  }
}

/** Waits for the end of something, however it ends, as long as {@link GOODBYE_MS} at most. */
export async function shortly(ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
}

function tlsOptions({ host, sslMode, certificateAuthorities: ca }: ServerConfig): false | ConnectionOptions {
  if (sslMode === "disable" || host.startsWith("/")) return false;
  // As in libpq: authorities that are given are also used where none is asked for.
  if (sslMode === "require" && ca === undefined) return { rejectUnauthorized: false };
  return {
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    // The client would compare with "localhost" where the host is an address.
    checkServerIdentity: (_name, certificate) =>
      sslMode === "verify-full" ? checkServerIdentity(host, certificate) : undefined,
  };
}
