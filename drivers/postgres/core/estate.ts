import { databasesOf, holdingsOf } from "./catalog";
import { endRights, handOver, waitShortly } from "./hand-over";
import { type Leaver, makeHeir } from "./heirs";
import { ownedHere, requireNothingLost } from "./owned";
import type { HeirRecord } from "./record";
import type { Server } from "./server";
import type { Session } from "./session";
import { identifier, sql } from "./sql";

/** What a role leaves. */
export interface Estate {
  readonly leaver: Leaver;
  /** What is written on its heirs. */
  readonly record: HeirRecord;
  /** Fails if nothing may be handed over and the role owns something. */
  readonly requireFree: (session: Session) => Promise<void>;
}

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
  estate: Estate,
  home: string | undefined,
): Promise<void> {
  const { leaver } = estate;
  for (const database of await databasesOf(session, leaver.oid)) {
    await estate.requireFree(session);
    await session.query(sql`ALTER DATABASE ${identifier(database)} OWNER TO CURRENT_USER`);
  }
  for (const { database } of await holdingsOf(session, leaver.oid)) {
    if (database === home || database === undefined) continue;
    await server.connected(database, (inside) =>
      inside.transaction(() => settleHere(inside, session, estate, () => handToRest(inside, estate))),
    );
  }
}

/**
 * Settles what a role leaves in the database of a session, in a transaction. What that is is looked at in the same one: what
 * others were just about to give it can be there at the next attempt.
 *
 * @param witness - a session outside of the transaction, which sees what was there before.
 * @param handOn - hands over what the role owns there.
 * @throws DriverError `aborted` if something has come meanwhile; the transaction must not be committed then.
 */
export async function settleHere(
  inside: Session,
  witness: Session,
  { leaver, requireFree }: Estate,
  handOn: () => Promise<void>,
): Promise<void> {
  await waitShortly(inside);
  if ((await ownedHere(inside, leaver.oid)) > 0) {
    await requireFree(inside);
    await handOn();
  }
  await endRights(inside, leaver);
  await requireNothingLost(inside, witness, leaver.oid);
}

/** What is left outside of the database of a deployment has no use there: nobody gets at it by its owner. */
export async function handToRest(inside: Session, { leaver, record }: Estate): Promise<void> {
  await handOver(inside, leaver, await makeHeir(inside, "rest", record, leaver), [leaver.name]);
}
