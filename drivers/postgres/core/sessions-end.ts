import { setTimeout as sleep } from "node:timers/promises";
import { DriverError } from "../../common/driver-error";
import type { Session } from "./session";

/** How long the sessions of an account may take to end. */
const BOUND_MS = 20_000;
const POLL_MS = 50;

/** Tells the open sessions of a role to end, and does not wait for that. @returns how many there were. */
export async function cutSessions(session: Session, roleOid: string): Promise<number> {
  const open = await session.query(
    "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid = $1::oid",
    [roleOid],
  );
  return open.length;
}

/**
 * Ends the open sessions of a role that may not log in any more, and waits for their end.
 *
 * @throws DriverError `aborted` if they go on.
 */
export async function endSessions(session: Session, roleOid: string): Promise<void> {
  const bound = Date.now() + BOUND_MS;
  for (;;) {
    const open = await cutSessions(session, roleOid);
    if (open === 0) return;
    if (Date.now() > bound) {
      throw new DriverError("aborted", `${open} sessions of the account do not end; call again later`);
    }
    await sleep(POLL_MS);
  }
}
