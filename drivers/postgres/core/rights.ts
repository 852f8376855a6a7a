import type { AccessMode } from "./account-parameters";
import type { Administrator } from "./administrator";
import type { DeploymentRoles } from "./role-names";
import { identifier, literal, sql } from "./sql";

/** Rights to the tables that a role will make, and to what goes with them. They hold for whoever may read or write. */
export function rightsToComing(maker: string, { reader, writer }: DeploymentRoles): readonly string[] {
  const default_ = sql`ALTER DEFAULT PRIVILEGES FOR ROLE ${identifier(maker)}`;
  const [readers, writers] = [identifier(reader), identifier(writer)];
  return [
    sql`GRANT USAGE ON SCHEMAS TO ${readers}`,
    sql`GRANT SELECT ON TABLES TO ${readers}`,
    sql`GRANT SELECT ON SEQUENCES TO ${readers}`,
    sql`GRANT INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES ON TABLES TO ${writers}`,
    sql`GRANT USAGE, UPDATE ON SEQUENCES TO ${writers}`,
  ].map((grant) => `${default_} ${grant}`);
}

/** Statements after which the roles of a new database have their rights to it as a whole and nobody else has any. */
export function rightsToDatabase(database: string, roles: DeploymentRoles): readonly string[] {
  const on = identifier(database);
  return [
    sql`REVOKE ALL ON DATABASE ${on} FROM PUBLIC`,
    sql`GRANT CONNECT ON DATABASE ${on} TO ${identifier(roles.reader)}`,
    sql`GRANT TEMPORARY ON DATABASE ${on} TO ${identifier(roles.writer)}`,
    sql`GRANT CREATE ON DATABASE ${on} TO ${identifier(roles.admin)}`,
  ];
}

/** Functions that make large objects, which everybody may who may connect. */
const LARGE_OBJECT_MAKERS = "lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea)";

/** Statements, run in a new database, after which its roles have their rights to what is in it. */
export function rightsInDatabase(roles: DeploymentRoles, { superuser }: Administrator): readonly string[] {
  const [admin, writer, reader] = [
    identifier(roles.admin),
    identifier(roles.writer),
    identifier(roles.reader),
  ];
  return [
    sql`ALTER SCHEMA public OWNER TO ${admin}`,
    sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
    sql`GRANT USAGE ON SCHEMA public TO ${reader}`,
    sql`GRANT CREATE ON SCHEMA public TO ${writer}`,
    ...rightsToComing(roles.admin, roles),
    // They belong to a superuser.
    ...(superuser
      ? [
          `REVOKE EXECUTE ON FUNCTION ${LARGE_OBJECT_MAKERS} FROM PUBLIC`,
          `GRANT EXECUTE ON FUNCTION ${LARGE_OBJECT_MAKERS} ${sql`TO ${writer}`}`,
        ]
      : []),
  ];
}

/**
 * Makes one role do with what another one owns as if it were its own. From version 16 on it cannot become that role, whose
 * password it could change then.
 */
export function mastership(
  { hasMembershipOptions }: Administrator,
  { of, master }: { readonly of: string; readonly master: string },
): string {
  const grant = sql`GRANT ${identifier(of)} TO ${identifier(master)}`;
  return hasMembershipOptions ? `${grant} WITH INHERIT TRUE, SET FALSE` : grant;
}

/** Statements, run in the database, after which the role of an account has the rights of its mode. */
export function rightsOfAccount(
  account: string,
  mode: AccessMode,
  database: string,
  roles: DeploymentRoles,
  administrator: Administrator,
): readonly string[] {
  const role = identifier(account);
  switch (mode) {
    case "readonly":
      return [sql`GRANT ${identifier(roles.reader)} TO ${role}`];
    case "readwrite":
      return [
        sql`GRANT ${identifier(roles.writer)} TO ${role}`,
        // Administrators can change the tables that it makes.
        mastership(administrator, { of: account, master: roles.admin }),
        ...rightsToComing(account, roles),
      ];
    case "admin":
      return [
        sql`GRANT ${identifier(roles.admin)} TO ${role}`,
        // What it makes belongs to all administrators, and stays when it goes.
        sql`ALTER ROLE ${role} IN DATABASE ${identifier(database)} SET role TO ${literal(roles.admin)}`,
        ...rightsToComing(account, roles),
      ];
  }
}
