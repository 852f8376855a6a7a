import { databasesOf, holdingsOf } from "./catalog";
import { endRights, handOver, waitShortly } from "./hand-over";
import { type Leaver, makeHeir } from "./heirs";
import type { HeirRecord } from "./record";
import { retriedWhileAborted } from "./retries";
import type { Server } from "./server";
import type { Session } from "./session";
import { identifier, sql } from "./sql";

/**
 * Settles what a role leaves outside of one database. Databases go to the administrator: whoever owns one may do all in it, and
 * they are no code that would run for their owner. All else goes to a role that may do nothing, and that nobody is a
 * member of.
 *
 * @param session - in the maintenance database.
 * @param home - the database that is left out.
 */
export async function settleElsewhere(
  server: Server,
  session: Session,
  leaver: Leaver,
  record: HeirRecord,
  home: string | undefined,
): Promise<void> {
  for (const database of await databasesOf(session, leaver.oid)) {
    await session.query(sql`ALTER DATABASE ${identifier(database)} OWNER TO CURRENT_USER`);
  }
  const holdings = await holdingsOf(session, leaver.oid);
  for (const { database, owned } of holdings) {
    if (database === home || database === undefined) continue;
    const heir = owned === 0 ? undefined : await makeHeir(session, "rest", record, leaver);
    await server.connected(database, (inside) =>
      retriedWhileAborted(() =>
        inside.transaction(async () => {
          await waitShortly(inside);
          if (heir !== undefined) await handOver(inside, leaver, heir, [leaver.name]);
          await endRights(inside, leaver);
        }),
      ),
    );
  }
}
