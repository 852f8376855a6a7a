import type { Session } from "./session";
import { identifiers, sql } from "./sql";

/** The first version in which a membership says what it is good for. */
const MEMBERSHIP_OPTIONS = 160_000;

/** What the role of a session may do, and what its server can. */
export interface Administrator {
  readonly superuser: boolean;
  /** Whether memberships have options: version 16 and later. */
  readonly hasMembershipOptions: boolean;
}

export async function administratorOf(session: Session): Promise<Administrator> {
  const [row] = await session.query(
    "SELECT rolsuper, current_setting('server_version_num')::int AS version FROM pg_roles WHERE rolname = current_user",
  );
  return {
    superuser: row?.["rolsuper"] === true,
    hasMembershipOptions: Number(row?.["version"]) >= MEMBERSHIP_OPTIONS,
  };
}

/**
 * Makes the administrator a member of roles that it has made, unless it is a superuser: without that it may not act for
 * them, such as make a database that one of them owns or hand over what another one does.
 */
export async function joinRoles(session: Session, roles: readonly string[]): Promise<void> {
  const { superuser, hasMembershipOptions } = await administratorOf(session);
  if (superuser) return;
  const grant = sql`GRANT ${identifiers(roles)} TO CURRENT_USER`;
  await session.query(hasMembershipOptions ? `${grant} WITH INHERIT TRUE, SET TRUE` : grant);
}
