import { attemptAll } from "../kubernetes/attempt-all";
import type { KubernetesClient } from "../kubernetes/client";
import { changeMetadata, type MetadataChange } from "../kubernetes/metadata";
import type { KubernetesKind, KubernetesObject } from "../kubernetes/object";
import { accountsChange, accountsOf, withAccount, type AccountRecord } from "./account-record";
import type { AccessObjects, AskedAccount } from "./model";

/** The record that the object of a rotated access keeps of its accounts. */
export class AccessAccounts {
  readonly #kind: KubernetesKind;
  readonly #access: AccessObjects["access"];
  readonly #currentOf: (object: KubernetesObject) => string;

  /** @param currentOf Id of the account that the object tells of now; "" for none. */
  constructor(
    kind: KubernetesKind,
    { access }: AccessObjects,
    currentOf: (object: KubernetesObject) => string,
  ) {
    this.#kind = kind;
    this.#access = access;
    this.#currentOf = currentOf;
  }

  /**
   * Before the grant: what is asked for, and which account gives way to it.
   *
   * @returns True if it was asked for before, and nobody knows what came of it.
   */
  async asked(
    client: KubernetesClient,
    { name, rotates, adopted, retiring }: AskedAccount,
  ): Promise<boolean> {
    if (!rotates) return false;
    let earlierAttempt: boolean | undefined;
    let isSame: boolean | undefined;
    await this.#change(client, (records) => {
      const prior = records.find((record) => record.name === name);
      // By the first look alone: where the answer to our own write is lost, the next one sees what that wrote.
      earlierAttempt ??= prior?.state === "granting";
      const others = records.filter((record) => record !== prior);
      // An account that is asked for once more while it works is that again if the driver refuses.
      isSame ??= prior?.state === "active" && (prior.adopted === true) === (adopted === true);
      const known = withAccount(isSame ? records : others, { name, state: "granting", ...mark(adopted) });
      if (retiring === undefined || retiring.name === name) return known;
      const gone = known.some((record) => record.name === retiring.name && record.state === "revoked");
      const account = retiring.accountId === null ? {} : { account: retiring.accountId };
      return gone
        ? known
        : withAccount(known, {
            name: retiring.name,
            ...account,
            state: "retiring",
            ...mark(retiring.adopted),
          });
    });
    return earlierAttempt === true;
  }

  /**
   * After the grant. A driver may give one account to all, and then nothing retires.
   *
   * @param known The object as it was just written.
   */
  async granted(
    client: KubernetesClient,
    name: string,
    account: string,
    known?: KubernetesObject,
  ): Promise<void> {
    const change = (records: AccountRecord[]): AccountRecord[] =>
      records.length === 0
        ? records
        : withAccount(
            records.filter((record) => record.account !== account || record.name === name),
            { name, account, state: "active" },
          );
    await this.#change(client, change, known);
  }

  /**
   * After a grant that made nothing: the account that was to give way stays.
   *
   * @returns Its id, if there is one.
   */
  async refused(client: KubernetesClient, name: string): Promise<string | undefined> {
    let stays: AccountRecord | undefined;
    await this.#change(client, (records, object) => {
      const current = this.#currentOf(object);
      const others = records.flatMap((record) => {
        if (record.name !== name || record.state !== "granting") return [record];
        return record.account === undefined ? [] : withAccount([record], { ...record, state: "active" });
      });
      // Where the answer to our own write is lost, the next look sees it as active already.
      const before = stays?.name;
      stays = others.findLast(
        ({ name: of, account, state }) =>
          (state === "retiring" && account !== undefined && (current === "" || account === current)) ||
          (state === "active" && of === before),
      );
      return stays === undefined ? others : withAccount(others, { ...stays, state: "active" });
    });
    return stays?.account;
  }

  /** Marks that a revoke of a former account may have been sent. @returns True if one may have been before. */
  async beforeRevoke(client: KubernetesClient, former: AccountRecord): Promise<boolean> {
    const wasSent = former.revokeSent === true || former.state === "revoked";
    try {
      await this.markRevoke(client, former, true);
    } catch (error) {
      // It may be on although no answer came, and nothing is sent: the next run would believe it.
      if (!wasSent) await attemptAll([() => this.markRevoke(client, former, false)]);
      throw error;
    }
    return wasSent;
  }

  /** Sets or takes off the mark that a revoke of a former account may have been sent. */
  async markRevoke(client: KubernetesClient, { name }: { name: string }, sent: boolean): Promise<void> {
    await this.#change(client, (records) =>
      records.map((record) => {
        if (record.name !== name) return record;
        const marked: AccountRecord = { ...record, revokeSent: true };
        if (!sent) delete marked.revokeSent;
        return marked;
      }),
    );
  }

  /** After a revoke. @returns The object as it is then. */
  async revoked(client: KubernetesClient, name: string): Promise<KubernetesObject | undefined> {
    return this.#change(client, (records) =>
      records.some((record) => record.name === name)
        ? withAccount(records, { name, state: "revoked" })
        : records,
    );
  }

  async #change(
    client: KubernetesClient,
    change: (records: AccountRecord[], object: KubernetesObject) => AccountRecord[],
    known?: KubernetesObject,
  ): Promise<KubernetesObject | undefined> {
    const step = (object: KubernetesObject): MetadataChange | undefined => {
      if (object.metadata.uid !== this.#access.uid) return undefined;
      const before = accountsOf(object);
      const after = change(before, object);
      return JSON.stringify(before) === JSON.stringify(after) ? undefined : accountsChange(after);
    };
    return changeMetadata(client, this.#kind, this.#access, step, known);
  }
}

function mark(adopted: boolean | undefined): Pick<AccountRecord, "adopted"> {
  return adopted === true ? { adopted } : {};
}
