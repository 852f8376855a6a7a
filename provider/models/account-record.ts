import { isRecord } from "../dynamic/values";
import type { KubernetesObject } from "../kubernetes/object";

/**
 * Annotation on the object of an access that is rotated: its accounts, as JSON, each with its state and since when.
 * People read it, and a run after a kill: what is `granting` may exist at the driver, and nobody may know its id.
 */
export const accountsAnnotation = "pulumi-cosi/accounts";

/** `granting`: asked for. `retiring`: works, until everything has taken to the active one. */
export type AccountState = "granting" | "active" | "retiring" | "revoked";

/** An account of an access. */
export interface AccountRecord {
  /** The name that was sent. */
  name: string;
  /** The driver's id, once it is known. */
  account?: string;
  state: AccountState;
  /** Since when it is in this state, RFC 3339. */
  since: string;
  /** A revoke of it may have been sent. */
  revokeSent?: true;
  /** It was there before, and no revoke is ever sent for it. */
  adopted?: true;
}

/** The accounts that an object tells of; none of what cannot be read. */
export function accountsOf({ metadata }: KubernetesObject): AccountRecord[] {
  const text = metadata.annotations?.[accountsAnnotation];
  if (text === undefined) return [];
  try {
    const records: unknown = JSON.parse(text);
    return Array.isArray(records) ? records.filter(isAccountRecord) : [];
  } catch {
    return [];
  }
}

/** So many accounts that are revoked stay in the record: a state of before may know one of them. */
const keptRevoked = 4;

/** The annotation as a change of metadata: without an account it goes. Of those that are revoked the last ones stay. */
export function accountsChange(records: readonly AccountRecord[]): {
  annotations: Record<string, string | null>;
} {
  const gone = records.filter(({ state }) => state === "revoked");
  const forgotten = new Set(gone.slice(0, Math.max(0, gone.length - keptRevoked)));
  const told = records.filter((record) => !forgotten.has(record));
  return { annotations: { [accountsAnnotation]: told.length === 0 ? null : JSON.stringify(told) } };
}

/** The records with one put in the place of that of its name, or added. */
export function withAccount(
  records: readonly AccountRecord[],
  { name, ...changes }: Omit<AccountRecord, "since">,
): AccountRecord[] {
  const known = records.find((record) => record.name === name);
  const since = known?.state === changes.state ? known.since : new Date().toISOString();
  const account = changes.account ?? known?.account;
  const isSame = known?.account === undefined || known.account === account;
  const record = {
    name,
    ...(account === undefined ? {} : { account }),
    ...(isSame && known?.adopted === true ? { adopted: known.adopted } : {}),
    ...changes,
    since,
  };
  return [...records.filter((other) => other !== known), record];
}

/** What an account is known by: the name that was sent, and the driver's id once it was told. */
export interface AccountKey {
  readonly name: string;
  readonly accountId: string | null;
}

/** The record of an account. */
export function recordOf(
  records: readonly AccountRecord[],
  { name, accountId }: AccountKey,
): AccountRecord | undefined {
  return (
    records.find(({ account }) => account !== undefined && account === accountId) ??
    records.find((record) => record.name === name && (record.account === undefined || accountId === null))
  );
}

/**
 * The record of an account that gives way to another one, or has done so: what its end does to the object is no more than
 * this record. `undefined` for the account that the object's status is of.
 *
 * @param current `status.accountID` of the object; "" if there is none.
 */
export function formerAccount(
  records: readonly AccountRecord[],
  current: string,
  key: AccountKey,
): AccountRecord | undefined {
  if (records.length === 0) return undefined;
  const own = recordOf(records, key);
  const others = records.filter((record) => record !== own);
  const givesWay =
    current === ""
      ? (own?.state === "retiring" || own?.state === "revoked") &&
        others.some(({ state }) => state !== "revoked")
      : key.accountId === null || own?.state === "active"
        ? others.some(({ account }) => account === current)
        : key.accountId !== current;
  if (!givesWay) return undefined;
  // Of those that are revoked only the last ones are recorded.
  return own ?? { name: key.name, state: "revoked", since: "" };
}

/**
 * True if an account that an object tells of is one that the state has, or that was there before: its keys are not lost.
 *
 * @param inState Name of the account in the state.
 */
export function isKnownAccount(
  records: readonly AccountRecord[],
  accountId: string,
  inState: string | undefined,
): boolean {
  const record = records.find(({ account }) => account === accountId);
  if (record?.adopted === true || record?.state === "retiring" || record?.state === "revoked") return true;
  return inState !== undefined && (record?.name ?? inState) === inState;
}

/** True if the record says that the account was revoked, or may be. */
export function isGoneAccount(records: readonly AccountRecord[], key: AccountKey): boolean {
  const record = recordOf(records, key);
  return record?.state === "revoked" || record?.revokeSent === true;
}

/** True if another account is asked for in the place of this one, and nobody has it yet. */
export function isSucceeded(records: readonly AccountRecord[], key: AccountKey): boolean {
  const own = recordOf(records, key);
  return records.some((record) => record !== own && record.state === "granting");
}

/** True if one of the accounts works, and no revoke of it may have been sent. */
export function hasLivingAccount(records: readonly AccountRecord[]): boolean {
  return records.some(({ state, revokeSent }) => state === "active" && revokeSent !== true);
}

function isAccountRecord(value: unknown): value is AccountRecord {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    typeof value["since"] === "string" &&
    (value["account"] === undefined || typeof value["account"] === "string") &&
    ["granting", "active", "retiring", "revoked"].includes(String(value["state"]))
  );
}
