import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { Client } from "pg";
import type { Log } from "../../common/log";
import { KeyedLock, Semaphore } from "../../../provider/driver/call/locks";
import type { ServerConfig } from "../config";
import { Session } from "./session";
import { cutForeignHolders } from "./foreign-holders";

/** So many calls are at work at one time, each with two connections at most. */
const CALLS_AT_WORK = 8;

const CONNECT_TIMEOUT_MS = 10_000;

/** A server that has gone without a word is noticed about ten seconds after this. */
const KEEP_ALIVE_MS = 10_000;

/** How long a statement is waited for. It goes on at the server, and so do its locks: a repeat waits for its end. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** How long another process may hold what a call needs: less than the minute that callers give a call. */
const LOCK_TIMEOUT_MS = 20_000;

/** After so long it is looked who is in the way, and again each time. */
const INSIST_MS = 500;

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

/** A PostgreSQL server, as its administrator. */
export class Server {
  readonly #lock = new KeyedLock();
  readonly #semaphore = new Semaphore(CALLS_AT_WORK);

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
    const client = new Client({
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
      await client.end().catch(() => undefined);
    }
  }

  /**
   * Runs a task with a connection to the maintenance database while no other has one of its locks, in this process or in
   * another one at the same server and maintenance database.
   *
   * @param keys - what is larger comes first, so that no two wait for each other.
   */
  async locked<T>(keys: readonly string[], task: (session: Session) => Promise<T>): Promise<T> {
    const whileLocked = async (session: Session) => {
      for (const key of keys.map(advisoryKey)) {
        // It ends with the connection, also when this process is killed, and then not before the statement at work.
        const locking = session.query("SELECT pg_advisory_lock($1)", [key]);
        // Anybody at the server can take such a lock, and hold off the revoke of an access by it.
        await this.insist(locking, (second) => cutForeignHolders(second, key));
      }
      return task(session);
    };
    const inTurn = keys.reduceRight(
      (next, key) => () => this.#lock.run(key, next),
      () => this.#semaphore.run(() => this.connected(this.maintenanceDatabase, whileLocked)),
    );
    return inTurn();
  }

  /**
   * Waits for a statement that others may hold up. It keeps its place in the queue for what it waits for while those before it
   * are sent away from a second connection, again and again.
   *
   * @param clear - ends those who are in the way and have no right to be.
   */
  async insist<T>(statement: Promise<T>, clear: (second: Session) => Promise<unknown>): Promise<T> {
    const settled = statement.then(
      () => true,
      () => true,
    );
    const isDone = () => Promise.race([settled, sleep(INSIST_MS, false, { ref: false })]);
    if (!(await isDone())) {
      await this.connected(this.maintenanceDatabase, async (second) => {
        do await clear(second);
        while (!(await isDone()));
      }).catch(() => undefined); // Then it is waited for as it is.
    }
    return statement;
  }
}

/** A number of 64 bits, in decimal. */
function advisoryKey(key: string): string {
  return createHash("sha256").update(`pulumi-cosi\n${key}`).digest().readBigInt64BE().toString();
}

function tlsOptions({ host, sslMode, certificateAuthorities: ca }: ServerConfig): false | ConnectionOptions {
  if (sslMode === "disable" || host.startsWith("/")) return false;
  // As in libpq: authorities that are given are also used where none is asked for.
  if (sslMode === "require" && ca === undefined) return { rejectUnauthorized: false };
  return {
    ...(ca === undefined ? {} : { ca }),
    // The client would compare with "localhost" where the host is an address.
    checkServerIdentity: (_name, certificate) =>
      sslMode === "verify-full" ? checkServerIdentity(host, certificate) : undefined,
  };
}
