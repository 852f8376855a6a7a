import type { Session } from "./session";

/**
 * Ends the sessions of others that hold, or wait for, an advisory lock of the database of the session. Others are neither the
 * administrator, by whom all drivers work, nor superusers, who are trusted.
 */
export async function cutForeignHolders(session: Session, key: string): Promise<void> {
  await session.query(
    `SELECT a.pid, pg_terminate_backend(a.pid) FROM pg_locks l
      JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_roles r ON r.oid = a.usesysid
      WHERE l.locktype = 'advisory' AND l.objsubid = 1
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint
      AND r.rolname <> current_user AND NOT r.rolsuper AND pg_has_role(r.oid, 'USAGE')`,
    [key],
  );
}
