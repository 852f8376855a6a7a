import { DriverError } from "../../common/driver-error";
import type { Parameters } from "../../common/parameters";
import { quote } from "../../common/text";
import { type AccountSettings, accountSettings } from "./account-parameters";
import { joinRoles } from "./administrator";
import { type FoundRole, findRole, holdingsOf } from "./catalog";
import { type Deployments, lockOf } from "./deployments";
import { checkRoleName } from "./names";
import { type AccountRecord, formatRecord, requireSame } from "./record";
import { rightsOfAccount } from "./rights";
import { newPassword, scramVerifier } from "./scram";
import type { Server } from "./server";
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
      };
      const exists = this.#isGranted(await findRole(session, account), record);
      const password = newPassword();
      const verifier = await scramVerifier(password);
      await this.server.connected(deployment, (inside) => this.#write(inside, record, exists, verifier));
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
      const role = await findRole(session, accountId);
      if (role === undefined) return;
      const settings = accountSettings(this.#requireOf(role, deployment, accountId).parameters);
      if (settings.keepsOwned) await requireOwnsNothing(session, role);
      await session.query(sql`ALTER ROLE ${identifier(accountId)} NOLOGIN`);
      await endSessions(session, role.oid);
      if (settings.keepsOwned) await this.#keepIfOwning(session, role, accountId);
      await this.#remove(session, deployment, accountId, role);
    });
  }

  /** True if the account is there as asked for, and false if it is free; neither if it is there for something else. */
  #isGranted(role: FoundRole | undefined, asked: AccountRecord): boolean {
    if (role === undefined) return false;
    const { record } = role;
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
      await inside.query(rightsOfAccount(account, settings.mode, deployment, roles).join("; "));
    });
  }

  /** Lets an account that has made something at the last moment in again. */
  async #keepIfOwning(session: Session, role: FoundRole, account: string): Promise<void> {
    try {
      await requireOwnsNothing(session, role);
    } catch (error) {
      await session.query(sql`ALTER ROLE ${identifier(account)} LOGIN`);
      throw error;
    }
  }

  async #remove(session: Session, deployment: string, account: string, role: FoundRole): Promise<void> {
    const { database } = await this.deployments.find(session, deployment);
    const isThere = database?.ours === true && !database.broken;
    for (const { database: other } of await holdingsOf(session, role.oid)) {
      if (isThere && other === deployment) continue;
      // Nobody of the deployment could use there what the account leaves behind.
      await this.server.connected(other, (inside) =>
        inside.transaction(() => handOver(inside, account, "CURRENT_USER")),
      );
    }
    const drop = sql`DROP ROLE ${identifier(account)}`;
    if (!isThere) {
      await session.query(drop);
      return;
    }
    const { admin } = this.deployments.rolesOf(deployment);
    await this.server.connected(deployment, (inside) =>
      inside.transaction(async () => {
        await handOver(inside, account, sql`${identifier(admin)}`);
        await inside.query(drop);
      }),
    );
  }
}

function lockOfAccount(account: string): string {
  return `account ${account}`;
}

function limitOf({ connectionLimit }: AccountSettings): string {
  return connectionLimit === undefined ? "" : sql`CONNECTION LIMIT ${connectionLimit}`;
}

async function requireOwnsNothing(session: Session, role: FoundRole): Promise<void> {
  const [first] = (await holdingsOf(session, role.oid)).filter(({ owned }) => owned > 0);
  if (first === undefined) return;
  throw new DriverError(
    "failed-precondition",
    `it owns ${first.owned} tables or other things in database ${quote(first.database)}; drop or hand them over ` +
      'first, or grant the access with the parameter onRevoke "reassign"',
  );
}

/** Hands over what a role owns in the database of the session, and ends the rights that it has there. */
async function handOver(inside: Session, account: string, to: string): Promise<void> {
  await inside.query(`${sql`REASSIGN OWNED BY ${identifier(account)} TO`} ${to}`);
  await inside.query(sql`DROP OWNED BY ${identifier(account)}`);
}
