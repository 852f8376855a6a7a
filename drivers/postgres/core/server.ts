import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { KeyedLock, Semaphore } from "../../../provider/driver/call/locks";
import { Connections, shortly } from "./connections";
import { clearTheWay } from "./in-the-way";
import type { Session } from "./session";

/** So many calls are at work at one time, each with two connections, and one or two more while it ends what is in its way. */
const CALLS_AT_WORK = 8;

/** After so long it is looked who is in the way, and again each time. */
const INSIST_MS = 500;

/** A PostgreSQL server, and the turns in which the calls of all drivers work at it. */
export class Server extends Connections {
  readonly #lock = new KeyedLock();
  readonly #semaphore = new Semaphore(CALLS_AT_WORK);

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

/** A number of 64 bits, in decimal. */
function advisoryKey(key: string): string {
  return createHash("sha256").update(`pulumi-cosi\n${key}`).digest().readBigInt64BE().toString();
}
