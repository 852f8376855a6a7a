import { formatRecord, type AccountRecord } from "./record";
import type { FoundRole } from "./catalog";
import { preparedBy, undoPrepared } from "./prepared";
import { retriedWhileAborted } from "./retries";
import type { Server } from "./server";
import type { Session } from "./session";
import { cutSessions, endSessions } from "./sessions-end";
import { identifier, literal, sql } from "./sql";

/**
 * Lets a role in no more and ends its sessions. A role may change itself, and an open transaction that does so holds off
 * everybody else who would, as does one of somebody who may act for it: so its sessions end first, and then whoever is in the
 * way.
 *
 * @param record - what is written on the role in the same step.
 */
export async function lockOut(
  server: Server,
  session: Session,
  role: FoundRole,
  record: AccountRecord,
): Promise<void> {
  await retriedWhileAborted(async () => {
    await cutSessions(session, role.oid);
    await undoPrepared(server, await preparedBy(session, role.name));
    await server.insist(session, session.query(loginStatement(role.name, "NOLOGIN", record)));
  });
  await endSessions(session, role.oid);
  await undoPrepared(server, await preparedBy(session, role.name));
}

/** Lets a role in again that was locked out. */
export async function letIn(session: Session, role: FoundRole, record: AccountRecord): Promise<void> {
  await session.query(loginStatement(role.name, "LOGIN", record));
}

/** One message, and so one transaction. */
function loginStatement(role: string, login: "LOGIN" | "NOLOGIN", record: AccountRecord): string {
  const alter = sql`ALTER ROLE ${identifier(role)}`;
  const comment = sql`COMMENT ON ROLE ${identifier(role)} IS ${literal(formatRecord(record))}`;
  return `${alter} ${login}; ${comment}`;
}
