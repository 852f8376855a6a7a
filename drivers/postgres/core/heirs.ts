import { DriverError } from "../../common/driver-error";
import { quote } from "../../common/text";
import { joinRoles } from "./administrator";
import { type HeirRecord, formatRecord, parseHeirRecord } from "./record";
import { heirName } from "./role-names";
import type { Server } from "./server";
import { type Session, textIn } from "./session";
import { identifier, literal, sql } from "./sql";

/** Whose heir is asked for. */
export interface Leaver {
  readonly oid: string;
  readonly name: string;
}

/**
 * Makes the role that is to own what another one leaves behind, or finds it. Each has one of its own, which may do no more than
 * own that: so code that is left, such as a SECURITY DEFINER function, a view or the expression of an index, gets at nothing
 * by the change of its owner, not even at what a third one has left.
 *
 * @param session - in the transaction that hands over.
 * @param part - `heir` for what is in the deployment's database, `rest` for what is in others.
 * @returns its name.
 */
export async function makeHeir(
  session: Session,
  part: "heir" | "rest",
  record: HeirRecord,
  leaver: Leaver,
): Promise<string> {
  const name = heirName(part, record, leaver.oid);
  const [there] = await session.query(
    "SELECT shobj_description(oid, 'pg_authid') AS record FROM pg_roles WHERE rolname::text = $1::text",
    [name],
  );
  if (there !== undefined) {
    const found = parseHeirRecord(textIn(there, "record"));
    if (found?.driver === record.driver && found.deployment === record.deployment) return name;
    throw new DriverError(
      "failed-precondition",
      `someone else made a role of the name that it needs, ${quote(name)}`,
    );
  }
  await session.query(sql`CREATE ROLE ${identifier(name)} NOLOGIN`);
  await session.query(sql`COMMENT ON ROLE ${identifier(name)} IS ${literal(formatRecord(record))}`);
  await joinRoles(session, [name]);
  return name;
}

/** Removes the heirs of a deployment that own nothing any more. */
export async function dropIdleHeirs(
  server: Server,
  session: Session,
  driver: string,
  deployment: string,
): Promise<void> {
  const roles = await session.query(
    `SELECT rolname::text AS name, shobj_description(oid, 'pg_authid') AS record FROM pg_roles r
      WHERE shobj_description(oid, 'pg_authid') LIKE '{"kind":"heir"%'
      AND NOT EXISTS (SELECT FROM pg_shdepend WHERE refclassid = 'pg_authid'::regclass AND refobjid = r.oid)`,
  );
  for (const role of roles) {
    const record = parseHeirRecord(textIn(role, "record"));
    if (record?.driver !== driver || record.deployment !== deployment) continue;
    const drop = session.query(sql`DROP ROLE IF EXISTS ${identifier(textIn(role, "name"))}`);
    await server.insist(session, drop);
  }
}
