import { type Prepared, toPrepared, undoPrepared } from "./prepared";
import type { Connections } from "./connections";
import type { Session } from "./session";

/**
 * Ends who keeps a session waiting, whatever they wait by and under whatever name: other sessions, and transactions that
 * somebody has prepared, which belong to no session. Left alone are superusers, who are trusted, and the administrator, by
 * whom all drivers work.
 *
 * @param second - a session that waits for nothing.
 */
export async function clearTheWay(
  connections: Connections,
  second: Session,
  waiting: Session,
): Promise<void> {
  if (waiting.pid === undefined) return;
  await second.query(
    `SELECT a.pid, pg_terminate_backend(a.pid) FROM unnest(pg_blocking_pids($1)) AS b (pid)
      JOIN pg_stat_activity a ON a.pid = b.pid JOIN pg_roles r ON r.oid = a.usesysid
      WHERE r.rolname <> current_user AND NOT r.rolsuper
      AND (pg_has_role(r.oid, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE'))`,
    [waiting.pid],
  );
  await undoPrepared(connections, await preparedBefore(second, waiting.pid));
}

/**
 * The prepared transactions that have what a session waits for. They are told by the lock, as they have no process that
 * `pg_blocking_pids` could name, and each by the lock that it has on its own number. Of the modes of locks those are looked at
 * that the driver meets; what holds one that may go together with the one that is waited for is not in the way.
 */
async function preparedBefore(session: Session, pid: number): Promise<Prepared[]> {
  const rows = await session.query(
    `SELECT DISTINCT p.gid, p.database::text, p.owner::text FROM pg_locks w
      JOIN pg_locks h ON h.granted AND h.pid IS NULL AND h.locktype = w.locktype
        AND (h.database, h.relation, h.page, h.tuple, h.transactionid, h.classid, h.objid, h.objsubid)
          IS NOT DISTINCT FROM (w.database, w.relation, w.page, w.tuple, w.transactionid, w.classid, w.objid, w.objsubid)
        AND ('AccessExclusiveLock' IN (h.mode, w.mode)
          OR 'ExclusiveLock' IN (h.mode, w.mode) AND 'AccessShareLock' NOT IN (h.mode, w.mode))
      JOIN pg_locks x ON x.granted AND x.pid IS NULL AND x.locktype = 'transactionid'
        AND x.virtualtransaction = h.virtualtransaction
      JOIN pg_prepared_xacts p ON p.transaction = x.transactionid
      JOIN pg_roles r ON r.rolname = p.owner
      WHERE w.pid = $1 AND NOT w.granted
      AND r.rolname <> current_user AND NOT r.rolsuper AND pg_has_role(r.oid, 'MEMBER')`,
    [pid],
  );
  return rows.map(toPrepared);
}
