import { DriverError, type ErrorKind } from "../../common/driver-error";
import type { Parameters } from "../../common/parameters";
import { quote } from "../../common/text";
import { administratorOf, joinRoles } from "./administrator";
import {
  type Found,
  accountsOf,
  contentsOf,
  databasesOf,
  findDeployment,
  holdingsOf,
  rolesNamed,
} from "./catalog";
import { type DeploymentSettings, deploymentSettings } from "./deployment-parameters";
import { requireNameInEncoding } from "./encodings";
import { handToRest, settleElsewhere, settleHere } from "./estate";
import { type Extension, extensionStatements, requireExtensions } from "./extensions";
import { type Leaver, dropIdleHeirs } from "./heirs";
import { checkDatabaseName } from "./names";
import { describePrepared, preparedIn, undoPrepared } from "./prepared";
import { type DeploymentRecord, formatRecord, requireSame, requireSameOwner } from "./record";
import { rightsInDatabase, rightsToDatabase } from "./rights";
import { type DeploymentRoles, allOf, deploymentRoles } from "./role-names";
import { retriedWhileInUse } from "./retries";
import type { Server } from "./server";
import { kindOf, reasonOf, sqlStateOf } from "./server-error";
import type { Session } from "./session";
import { identifier, identifiers, literal, sql } from "./sql";

/** How far a deployment is. */
export type DeploymentStatus =
  { readonly state: "ready" | "pending" } | { readonly state: "error"; readonly message: string };

/** After these a caller takes it that nothing was made, and does not ask again. */
const REFUSED: readonly ErrorKind[] = [
  "invalid-argument",
  "out-of-range",
  "already-exists",
  "failed-precondition",
  "permission-denied",
  "unauthenticated",
];

/** Codes with which a server refuses an encoding or a locale: it is none, does not go with the other, or is not built in. */
const REFUSED_FORM: readonly string[] = ["42704", "42809", "42P17", "22023", "0A000"];

/** The lock under which calls for one deployment run one after the other. */
export function lockOf(deployment: string): string {
  return `deployment ${deployment}`;
}

/**
 * Deployments: one database each, owned by a role of its own.
 *
 * A database cannot be made in a transaction with anything else. So the roles come first, in one transaction, with a
 * record of what is to be made: the intent, by which a create that was cut short goes on, and the mark, by which a database
 * is known as the driver's. The database is then made with that role as its owner, and all that belongs to it follows in one
 * more transaction, which also completes the record.
 */
export class Deployments {
  constructor(
    private readonly server: Server,
    private readonly driver: string,
  ) {}

  /** The names of a deployment's roles. */
  rolesOf(deployment: string): DeploymentRoles {
    return deploymentRoles(this.driver, deployment);
  }

  /**
   * Creates a deployment; its id is its name. Again with what it was made with: nothing is changed, and what was cut short
   * is completed.
   *
   * @param parameters - checked ones.
   * @param owner - for whom it is made, if that is known; recorded.
   * @throws DriverError `already-exists` if it was made as another one, for another owner or by someone else;
   * `invalid-argument` if the server refuses name, encoding or locale; `out-of-range` for an extension that is not to be
   * had. What a refused call has made is removed.
   */
  async create(name: string, parameters: Parameters, owner?: string): Promise<void> {
    checkDatabaseName("name", name, this.server.maintenanceDatabase);
    await this.server.locked([lockOf(name)], (session) =>
      this.#create(session, {
        kind: "deployment",
        driver: this.driver,
        deployment: name,
        parameters,
        owner,
        complete: false,
      }),
    );
  }

  /**
   * Deletes a deployment. One that is gone is done.
   *
   * @throws DriverError `failed-precondition`, and nothing is removed, if someone else made the database, accounts have
   * access to it, or it holds tables and was not made with `onDelete` = `drop`.
   */
  async delete(id: string): Promise<void> {
    await this.server.locked([lockOf(id)], async (session) => {
      const { role, database } = await this.find(session, id);
      if (database !== undefined && !(database.ours && this.#isOurs(id, role))) {
        throw new DriverError("failed-precondition", "this driver did not make the database of that name");
      }
      if (!this.#isOurs(id, role)) return;
      await this.#requireNotRenamed(session, id);
      if (database !== undefined) {
        const settings = deploymentSettings(role?.record?.parameters ?? new Map());
        await this.#requireUnused(session, id);
        // A create that was cut short has let nobody in: there can be nothing, and it cannot be looked.
        const neverOpened = role?.record?.complete === false && !database.open;
        if (!settings.dropsTables && !database.broken && !neverOpened) await this.#requireEmpty(session, id);
        if (settings.dropsTables) await undoPrepared(this.server, await preparedIn(session, id));
        await this.#drop(session, id);
      }
      await this.#dropRoles(session, id);
    });
  }

  /** @throws DriverError `not-found` if the driver has no deployment of that id. */
  async status(id: string): Promise<DeploymentStatus> {
    return this.server.connected(this.server.maintenanceDatabase, async (session) => {
      const { role, database } = await this.find(session, id);
      const foreign = database !== undefined && !database.ours;
      if (foreign || role?.record === undefined || !this.#isOurs(id, role)) throw notThere();
      if (!role.record.complete) return { state: "pending" };
      if (database === undefined) return { state: "error", message: "somebody has dropped its database" };
      if (database.broken) return { state: "error", message: "its database is being dropped" };
      return { state: "ready" };
    });
  }

  /**
   * Makes sure that accounts can be given access to a deployment.
   *
   * @throws DriverError `not-found` if there is none, `failed-precondition` if it is not the driver's or not complete.
   */
  async requireReady(session: Session, id: string): Promise<void> {
    const { role, database } = await this.find(session, id);
    if (database === undefined) throw notThere();
    if (!database.ours || !this.#isOurs(id, role)) {
      throw new DriverError("failed-precondition", "this driver did not make the database of that name");
    }
    if (role?.record?.complete !== true || database.broken) {
      throw new DriverError(
        "failed-precondition",
        "a create or delete of the deployment was cut short; repeat that first",
      );
    }
  }

  /** Whether the deployment has a database that can be worked in. */
  async isUsable(session: Session, id: string): Promise<boolean> {
    const { role, database } = await this.find(session, id);
    return database?.ours === true && this.#isOurs(id, role) && !database.broken;
  }

  /** Completes the drop of the deployment's database, if one was cut short: nobody can get at what is left of it. */
  async dropBroken(session: Session, id: string): Promise<void> {
    const { role, database } = await this.find(session, id);
    if (database?.ours === true && this.#isOurs(id, role) && database.broken) await this.#drop(session, id);
  }

  find(session: Session, id: string): Promise<Found> {
    return findDeployment(session, id, this.rolesOf(id).owner);
  }

  #isOurs(id: string, role: Found["role"]): boolean {
    return role?.record?.driver === this.driver && role.record.deployment === id;
  }

  async #create(session: Session, record: DeploymentRecord): Promise<void> {
    const name = record.deployment;
    const settings = deploymentSettings(record.parameters);
    let { role, database } = await this.find(session, name);
    if (role !== undefined && !this.#isOurs(name, role)) {
      throw new DriverError(
        "already-exists",
        `someone else made a role of the name that it needs, ${quote(this.rolesOf(name).owner)}`,
      );
    }
    if (role?.record !== undefined) {
      const isThere = database?.ours === true || !role.record.complete;
      (isThere ? requireSame : requireSameOwner)(role.record, record);
    }
    if (database?.broken === true && database.ours) {
      await this.#drop(session, name);
      database = undefined;
      await this.#write(session, record);
    } else if (role?.record?.complete === true && database === undefined) {
      // Somebody has dropped the database, so what is asked for is a new one.
      await this.#dropRoles(session, name);
      role = undefined;
    }
    if (database !== undefined && !database.ours) {
      if (role?.record?.complete === false) await this.#dropRoles(session, name);
      throw new DriverError(
        "already-exists",
        "the server has a database of that name, which this driver did not make",
      );
    }
    if (database !== undefined && role?.record?.complete === true) return;
    try {
      await requireNameInEncoding(session, "name", name, settings.encoding);
      const extensions = await requireExtensions(session, settings.extensions);
      if (role === undefined) await this.#makeRoles(session, record);
      if (database === undefined) await this.#makeDatabase(session, name, settings);
      await this.#open(session, name);
      await this.#complete(record, extensions);
    } catch (error) {
      if (REFUSED.includes(kindOf(error))) await this.#takeBackOf(error, session, name);
      throw error;
    }
  }

  async #makeRoles(session: Session, record: DeploymentRecord): Promise<void> {
    const roles = this.rolesOf(record.deployment);
    await session.transaction(async () => {
      const statements = [
        ...allOf(roles).map((role) => sql`CREATE ROLE ${identifier(role)} NOLOGIN`),
        sql`GRANT ${identifier(roles.reader)} TO ${identifier(roles.writer)}`,
        sql`GRANT ${identifier(roles.writer)} TO ${identifier(roles.admin)}`,
      ];
      await session.query(statements.join("; "));
      await joinRoles(session, allOf(roles));
      await this.#write(session, record);
    });
  }

  async #makeDatabase(session: Session, name: string, settings: DeploymentSettings): Promise<void> {
    // template0 alone can be copied at any time, with any encoding and locale.
    const options = [
      // Everybody may connect to a new database, and nobody is to be in it before its rights are set.
      sql`OWNER ${identifier(this.rolesOf(name).owner)} TEMPLATE template0 ALLOW_CONNECTIONS false`,
      sql`ENCODING ${literal(settings.encoding)}`,
      settings.locale === undefined ? "" : sql`LOCALE ${literal(settings.locale)}`,
      settings.icuLocale === undefined
        ? ""
        : sql`LOCALE_PROVIDER icu ICU_LOCALE ${literal(settings.icuLocale)}`,
      settings.connectionLimit === undefined ? "" : sql`CONNECTION LIMIT ${settings.connectionLimit}`,
    ];
    try {
      await session.query(`${sql`CREATE DATABASE ${identifier(name)}`} ${options.filter(Boolean).join(" ")}`);
    } catch (error) {
      if (!REFUSED_FORM.includes(sqlStateOf(error) ?? "")) throw error;
      throw new DriverError("invalid-argument", `parameters: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** Lets in who may come in. */
  async #open(session: Session, name: string): Promise<void> {
    await session.transaction(async () => {
      const statements = [
        ...rightsToDatabase(name, this.rolesOf(name)),
        sql`ALTER DATABASE ${identifier(name)} ALLOW_CONNECTIONS true`,
      ];
      // One message: the way to the server may be long.
      await session.query(statements.join("; "));
    });
  }

  async #complete(record: DeploymentRecord, extensions: readonly Extension[]): Promise<void> {
    const { deployment } = record;
    const roles = this.rolesOf(deployment);
    await this.server.connected(deployment, (session) =>
      session.transaction(async () => {
        const statements = [
          ...rightsInDatabase(roles, await administratorOf(session)),
          ...extensionStatements(extensions, roles.admin),
        ];
        await session.query(statements.join("; "));
        await this.#write(session, { ...record, complete: true });
      }),
    );
  }

  async #write(session: Session, record: DeploymentRecord): Promise<void> {
    const { owner } = this.rolesOf(record.deployment);
    await session.query(sql`COMMENT ON ROLE ${identifier(owner)} IS ${literal(formatRecord(record))}`);
  }

  /** @throws DriverError `unavailable` if something stays, so that the create is repeated and goes on there. */
  async #takeBackOf(refusal: unknown, session: Session, name: string): Promise<void> {
    try {
      await this.#takeBack(session, name);
    } catch (error) {
      throw new DriverError(
        "unavailable",
        `${reasonOf(refusal)}; what was made before that could not be removed (${reasonOf(error)})`,
        { cause: refusal },
      );
    }
  }

  /** Removes what a create has made that will not be repeated. */
  async #takeBack(session: Session, name: string): Promise<void> {
    const { role, database } = await this.find(session, name);
    if (!this.#isOurs(name, role) || role?.record?.complete !== false) return;
    if (database?.ours === true) await this.#drop(session, name);
    await this.#dropRoles(session, name);
  }

  async #requireUnused(session: Session, id: string): Promise<void> {
    const accounts = await accountsOf(session, this.driver, id);
    if (accounts.length === 0) return;
    const some = accounts.slice(0, 3).map(quote).join(", ");
    throw new DriverError(
      "failed-precondition",
      `${accounts.length} accounts have access to it, such as ${some}; revoke that first`,
    );
  }

  async #requireEmpty(session: Session, id: string): Promise<void> {
    await this.#requireNothingPrepared(session, id);
    const contents = await this.server.connected(id, contentsOf);
    if (contents.length === 0) return;
    throw new DriverError(
      "failed-precondition",
      `its database holds tables, views, sequences or large objects, such as ${contents.join(", ")}; ` +
        'drop them first, or create the deployment with the parameter onDelete "drop"',
    );
  }

  /** What a prepared transaction has made cannot be seen, and is there as soon as somebody commits it. */
  async #requireNothingPrepared(session: Session, id: string): Promise<void> {
    const prepared = await preparedIn(session, id);
    if (prepared.length === 0) return;
    throw new DriverError(
      "failed-precondition",
      `its database holds ${describePrepared(prepared)}, which may have made something; ` +
        'COMMIT PREPARED or ROLLBACK PREPARED them first, or create the deployment with the parameter onDelete "drop"',
    );
  }

  /** Sessions of others are ended, also those outside of the database that hold it. */
  async #drop(session: Session, name: string): Promise<void> {
    const drop = session.query(sql`DROP DATABASE IF EXISTS ${identifier(name)} WITH (FORCE)`);
    await this.server.insist(session, drop);
  }

  /** @throws DriverError `failed-precondition` if the database goes by another name: it would stay, and its roles could not go. */
  async #requireNotRenamed(session: Session, id: string): Promise<void> {
    for (const { oid } of await rolesNamed(session, [this.rolesOf(id).owner])) {
      const other = (await databasesOf(session, oid)).find((name) => name !== id);
      if (other === undefined) continue;
      throw new DriverError(
        "failed-precondition",
        `database ${quote(other)} belongs to it; if somebody has renamed its own, name that as before, else drop it or ` +
          "give it another owner",
      );
    }
  }

  /** Also those of which somebody has made more than the driver did, such as given them rights to other databases. */
  async #dropRoles(session: Session, name: string): Promise<void> {
    await this.#requireNotRenamed(session, name);
    await retriedWhileInUse(async () => {
      for (const role of await rolesNamed(session, allOf(this.rolesOf(name)))) {
        await this.#settle(session, name, role);
      }
      const drop = session.query(sql`DROP ROLE IF EXISTS ${identifiers(allOf(this.rolesOf(name)))}`);
      await this.server.insist(session, drop);
    });
    await dropIdleHeirs(this.server, session, this.driver, name);
  }

  /** Settles what a role of the deployment leaves at the whole server. */
  async #settle(session: Session, name: string, leaver: Leaver): Promise<void> {
    if ((await holdingsOf(session, leaver.oid)).length === 0) return;
    const record = { kind: "heir", driver: this.driver, deployment: name, of: leaver.name } as const;
    const estate = { leaver, record, requireFree: () => Promise.resolve() };
    await settleElsewhere(this.server, session, estate, undefined);
    // Rights to what belongs to the whole server are ended from any database.
    await this.server.connected(this.server.maintenanceDatabase, (inside) =>
      inside.transaction(() => settleHere(inside, session, estate, () => handToRest(inside, estate))),
    );
  }
}

function notThere(): DriverError {
  return new DriverError("not-found", "the server has no such deployment");
}
