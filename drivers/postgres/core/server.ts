import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { Client } from "pg";
import type { Log } from "../../common/log";
import { KeyedLock, Semaphore } from "../../../provider/driver/call/locks";
import type { ServerConfig } from "../config";
import { clearTheWay } from "./in-the-way";
import { Session } from "./session";

/** So many calls are at work at one time, each with two connections, and one or two more while it ends what is in its way. */
const CALLS_AT_WORK = 8;

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

/** What the client would else take from variables of libpq. */
const NOT_FROM_ENVIRONMENT = { sslnegotiation: "postgres", replication: "false" } as const;

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

  /**
   * Runs a task with a connection to the maintenance database while no other has one of its locks, in this process or in
   * another one at the same server and maintenance database.
   *
   * @param keys - what is larger comes first, so that no two wait for each other.
   */
  async locked<T>(keys: readonly string[], task: (session: Session) => Promise<T>): Promise<T> {
    const whileLocked = async (session: Session) => {
      for (const key of keys.map(advisoryKey)) {
        // It ends with the connection, also when this process is killed, and then not before the statement at work. Anybody
        // at the server can take such a lock, and hold off the revoke of an access by it.
        await this.insist(session, session.query("SELECT pg_advisory_lock($1)", [key]));
      }
      return task(session);
    };
    const thenLetGo = (session: Session) =>
      whileLocked(session).finally(() =>
        // The server may not hear of the end of the connection.
        shortly(session.query("SELECT pg_advisory_unlock_all()")),
      );
    const inTurn = keys.reduceRight(
      (next, key) => () => this.#lock.run(key, next),
      () => this.#semaphore.run(() => this.connected(this.maintenanceDatabase, thenLetGo)),
    );
    return inTurn();
  }

  /**
   * Waits for work that others may hold up and have no right to. It keeps its place in the queue for what it waits for while
   * those before it are sent away from a second connection, again and again.
   *
   * @param waiting - the session that does the work.
   * @param second - one that has nothing to do meanwhile. @default a new one
   */
  async insist<T>(waiting: Session, work: Promise<T>, second?: Session): Promise<T> {
    const settled = work.then(
      () => true,
      () => true,
    );
    const isDone = () => Promise.race([settled, sleep(INSIST_MS, false, { ref: false })]);
    const clear = async (by: Session) => {
      do await clearTheWay(this, by, waiting).catch(() => undefined);
      while (!(await isDone()));
    };
    if (!(await isDone())) {
      const clearing = second === undefined ? this.connected(this.maintenanceDatabase, clear) : clear(second);
      await clearing.catch(() => undefined); // Then it is waited for as it is.
    }
    return work;
  }
}

/** Waits for the end of something, however it ends, as long as {@link GOODBYE_MS} at most. */
async function shortly(ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
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
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    // The client would compare with "localhost" where the host is an address.
    checkServerIdentity: (_name, certificate) =>
      sslMode === "verify-full" ? checkServerIdentity(host, certificate) : undefined,
  };
}
