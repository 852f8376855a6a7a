import { DriverError } from "../../common/driver-error";
import { toMade } from "../../common/made";
import type { Parameters } from "../../common/parameters";
import { quote } from "../../common/text";
import { type AccountSettings, accountSettings } from "./account-parameters";
import { administratorOf, joinRoles } from "./administrator";
import { type FoundRole, findRole, holdingsOf } from "./catalog";
import { type Deployments, lockOf } from "./deployments";
import { requireNameInDatabase } from "./encodings";
import { type Estate, handToRest, settleElsewhere, settleHere } from "./estate";
import { handOver } from "./hand-over";
import { dropIdleHeirs, makeHeir } from "./heirs";
import { letIn, lockOut } from "./lock-out";
import { checkRoleName } from "./names";
import { namingPrepared } from "./prepared";
import { type AccountRecord, formatRecord, requireSame } from "./record";
import { retriedWhileInUse } from "./retries";
import { mastership, rightsOfAccount } from "./rights";
import { newPassword, scramVerifier } from "./scram";
import type { Server } from "./server";
import { toDriverError } from "./server-error";
import { endSessions } from "./sessions-end";
import type { Session } from "./session";
import { identifier, literal, sql } from "./sql";

/** The account of a grant and its only live password. */
export interface Grant {
  /** Name of the role. */
  readonly accountId: string;
  readonly password: string;
}

/** Accounts: one role per account name, which may log in and use one database. */
export class Accounts {
  constructor(
    private readonly server: Server,
    private readonly deployments: Deployments,
    private readonly driver: string,
  ) {}

  /**
   * Gives an account access to a deployment. Again with equal arguments: the same account with a new password in place of
   * the old one, since a server does not tell what it keeps of one. Sessions that are open stay open.
   *
   * @param parameters - checked ones.
   * @param owner - for whom the account is, if that is known; recorded.
   * @throws DriverError `not-found` if there is no such deployment, `already-exists` if the account has access to another
   * one, other parameters or another owner, or if someone else made the role.
   */
  async grant(deployment: string, account: string, parameters: Parameters, owner?: string): Promise<Grant> {
    checkRoleName("name", account);
    return this.server.locked([lockOf(deployment), lockOfAccount(account)], async (session) => {
      await this.deployments.requireReady(session, deployment);
      const record: AccountRecord = {
        kind: "account",
        driver: this.driver,
        deployment,
        account,
        parameters,
        owner,
        leaving: false,
      };
      const exists = this.#isGranted(await findRole(session, this.driver, account), record);
      const password = newPassword();
      const verifier = await scramVerifier(password);
      const write = async () => {
        await requireNameInDatabase(session, "name", account, deployment);
        await this.server.connected(deployment, async (inside) => {
          // Who uses an account can hold its role, and so keep its password, by an open transaction.
          await this.server.insist(inside, this.#write(inside, record, exists, verifier), session);
        });
      };
      await (exists ? toMade("the account", "give it a new password", toDriverError, write) : write());
      return { accountId: account, password };
    });
  }

  /**
   * Ends every access of an account, its open sessions included, and removes it. One that is gone is done, and so is one
   * whose database is gone.
   *
   * @throws DriverError `failed-precondition` if the driver did not make the role, or made it for another deployment: an
   * OK would claim that an access has ended which lives on. The same if the account owns anything and was granted with
   * `onRevoke` = `refuse`. Nothing is changed then.
   */
  async revoke(deployment: string, accountId: string): Promise<void> {
    await this.server.locked([lockOf(deployment), lockOfAccount(accountId)], async (session) => {
      const role = await findRole(session, this.driver, accountId);
      if (role === undefined) return;
      const record = this.#requireOf(role, deployment, accountId);
      const { keepsOwned } = accountSettings(record.parameters);
      await this.deployments.dropBroken(session, deployment);
      const requireFree = (by: Session) => (keepsOwned ? requireOwnsNothing(by, role) : Promise.resolve());
      await orLetIn(session, role, record, () => requireFree(session));
      const leaving = { ...record, leaving: record.leaving || role.canLogin };
      await orLetIn(session, role, leaving, async () => {
        await lockOut(this.server, session, role, leaving);
        await requireFree(session);
        await namingPrepared(session, deployment, () => this.#remove(session, role, record, requireFree));
      });
      // One that was being let in when the others were ended.
      await endSessions(session, role.oid);
    });
  }

  /** True if the account is there as asked for, and false if it is free; neither if it is there for something else. */
  #isGranted(role: FoundRole | undefined, asked: AccountRecord): boolean {
    if (role === undefined) return false;
    const { record, name } = role;
    if (record?.driver !== this.driver || record.account !== asked.account) {
      throw new DriverError(
        "already-exists",
        "the server has a role of that name, which this driver did not make",
      );
    }
    if (record.deployment !== asked.deployment) {
      throw new DriverError(
        "already-exists",
        `the account has access to deployment ${quote(record.deployment)}; revoke that first, or use another name`,
      );
    }
    requireSame(record, asked);
    if (name !== asked.account) {
      throw new DriverError(
        "already-exists",
        `somebody has renamed the role of the account to ${quote(name)}; name it as before, or revoke the access`,
      );
    }
    return true;
  }

  #requireOf({ record }: FoundRole, deployment: string, account: string): AccountRecord {
    if (record?.driver !== this.driver || record.account !== account) {
      throw new DriverError("failed-precondition", "this driver did not make the role of that name");
    }
    if (record.deployment !== deployment) {
      throw new DriverError(
        "failed-precondition",
        `the account has access to another deployment, ${quote(record.deployment)}`,
      );
    }
    return record;
  }

  /** Makes the role, or gives it another password, in one transaction: it is there with all its rights, or not at all. */
  async #write(inside: Session, record: AccountRecord, exists: boolean, verifier: string): Promise<void> {
    const { account, deployment, parameters } = record;
    const settings = accountSettings(parameters);
    await inside.transaction(async () => {
      const verb = exists ? "ALTER" : "CREATE";
      await inside.query(
        `${verb} ${sql`ROLE ${identifier(account)} LOGIN PASSWORD ${literal(verifier)}`} ${limitOf(settings)}`,
      );
      await inside.query(sql`COMMENT ON ROLE ${identifier(account)} IS ${literal(formatRecord(record))}`);
      await joinRoles(inside, [account]);
      const roles = this.deployments.rolesOf(deployment);
      const administrator = await administratorOf(inside);
      const rights = rightsOfAccount(account, settings.mode, deployment, roles, administrator);
      await inside.query(rights.join("; "));
    });
  }

  /**
   * Removes a role that nobody logs in with any more, once what it leaves behind has another owner. A superuser may still work
   * as it, so each attempt looks anew what that is.
   */
  async #remove(
    session: Session,
    role: FoundRole,
    { deployment, account, parameters }: AccountRecord,
    requireFree: Estate["requireFree"],
  ): Promise<void> {
    const record = { kind: "heir", driver: this.driver, deployment, of: account } as const;
    const estate = { leaver: role, record, requireFree };
    const isAdmin = accountSettings(parameters).mode === "admin";
    await retriedWhileInUse(async () => {
      const home = (await this.deployments.isUsable(session, deployment)) ? deployment : undefined;
      await settleElsewhere(this.server, session, estate, home);
      await this.server.connected(home ?? this.server.maintenanceDatabase, (inside) =>
        inside.transaction(async () => {
          await settleHere(inside, session, estate, async () => {
            if (home === undefined) await handToRest(inside, estate);
            else if (isAdmin) await this.#handToAdmins(inside, role, deployment);
            else await this.#handToHeir(inside, estate);
          });
          await inside.query(sql`DROP ROLE ${identifier(role.name)}`);
        }),
      );
    });
    await dropIdleHeirs(this.server, session, this.driver, deployment);
  }

  /** An `admin` account has no more rights than the common role, so neither has what it leaves. */
  async #handToAdmins(inside: Session, role: FoundRole, deployment: string): Promise<void> {
    await handOver(inside, role, this.deployments.rolesOf(deployment).admin, []);
  }

  /** What is left can read what everybody there can read, and is the administrators' to alter and to drop. */
  async #handToHeir(inside: Session, { leaver, record }: Estate): Promise<void> {
    const { admin, reader } = this.deployments.rolesOf(record.deployment);
    const heir = await makeHeir(inside, "heir", record, leaver);
    await handOver(inside, leaver, heir, [leaver.name, admin]);
    await inside.query(sql`GRANT ${identifier(reader)} TO ${identifier(heir)}`);
    await inside.query(mastership(await administratorOf(inside), { of: heir, master: admin }));
  }
}

function lockOfAccount(account: string): string {
  return `account ${account}`;
}

function limitOf({ connectionLimit }: AccountSettings): string {
  return connectionLimit === undefined ? "" : sql`CONNECTION LIMIT ${connectionLimit}`;
}

/** The refusal to revoke an account that owns something. */
class OwnsSomething extends DriverError {}

/** @throws DriverError `failed-precondition` if the role owns anything. */
async function requireOwnsNothing(session: Session, role: FoundRole): Promise<void> {
  const [first] = (await holdingsOf(session, role.oid)).filter(({ owned }) => owned > 0);
  if (first === undefined) return;
  const what =
    first.database === undefined
      ? `${first.owned} databases or tablespaces`
      : `${first.owned} tables or other things in database ${quote(first.database)}`;
  throw new OwnsSomething(
    "failed-precondition",
    `it owns ${what}; drop or hand them over first, or grant the access with the parameter onRevoke "reassign"`,
  );
}

/** Lets a role in again, if its record says that a revoke has locked it out, where that is refused as it owns something. */
async function orLetIn(
  session: Session,
  role: FoundRole,
  record: AccountRecord,
  revoke: () => Promise<void>,
): Promise<void> {
  try {
    await revoke();
  } catch (error) {
    if (error instanceof OwnsSomething && record.leaving) {
      await letIn(session, role, { ...record, leaving: false });
    }
    throw error;
  }
}
