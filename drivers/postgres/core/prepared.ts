import { DriverError } from "../../common/driver-error";
import { quote } from "../../common/text";
import type { Connections } from "./connections";
import { kindOf, reasonOf, sqlStateOf } from "./server-error";
import { type Row, type Session, textIn } from "./session";
import { identifier, literal, sql } from "./sql";

/** A transaction that somebody has prepared: it outlives its session and the server, and so do its locks. */
export interface Prepared {
  readonly gid: string;
  readonly database: string;
  /** Name of the role that prepared it, which need not be the one that logged in; empty if that role is gone. */
  readonly owner: string;
}

/** `undefined_object`: somebody else has ended it. */
const GONE = "42704";

/** Those that a role has prepared. */
export async function preparedBy(session: Session, role: string): Promise<Prepared[]> {
  const rows = await session.query(
    "SELECT gid, database::text, owner::text FROM pg_prepared_xacts WHERE owner::text = $1::text",
    [role],
  );
  return rows.map(toPrepared);
}

/** Those that are prepared in a database. */
export async function preparedIn(session: Session, database: string): Promise<Prepared[]> {
  const rows = await session.query(
    "SELECT gid, database::text, owner::text FROM pg_prepared_xacts WHERE database::text = $1::text ORDER BY prepared",
    [database],
  );
  return rows.map(toPrepared);
}

/** Undoes prepared transactions. One that is gone is done. */
export async function undoPrepared(
  connections: Connections,
  transactions: readonly Prepared[],
): Promise<void> {
  for (const { gid, database, owner } of transactions) {
    await connections.connected(database, async (inside) => {
      // Who prepared it, or a superuser, may undo it.
      if (owner !== "") await inside.query(sql`SET ROLE ${identifier(owner)}`);
      await inside.query(sql`ROLLBACK PREPARED ${literal(gid)}`).catch((error: unknown) => {
        if (sqlStateOf(error) !== GONE) throw error;
      });
    });
  }
}

/** In words for a message: how many, and the first three. */
export function describePrepared(transactions: readonly Prepared[]): string {
  const some = transactions.slice(0, 3).map(({ gid }) => quote(gid));
  return `${transactions.length} prepared transactions, such as ${some.join(", ")}`;
}

/**
 * Has the error of work that others are in the way of name the transactions that are prepared in a database: no list of sessions
 * shows them.
 */
export async function namingPrepared<T>(
  session: Session,
  database: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const prepared = kindOf(error) === "aborted" ? await preparedIn(session, database) : [];
    if (prepared.length === 0) throw error;
    throw new DriverError(
      "aborted",
      `${reasonOf(error)}; its database holds ${describePrepared(prepared)}, which may be in the way: COMMIT PREPARED or ` +
        "ROLLBACK PREPARED them",
      { cause: error },
    );
  }
}

/** A row with the columns `gid`, `database` and `owner`. */
export function toPrepared(row: Row): Prepared {
  return { gid: textIn(row, "gid"), database: textIn(row, "database"), owner: textIn(row, "owner") };
}
