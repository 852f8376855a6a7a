import { DriverError } from "../../common/driver-error";
import type { Parameters } from "../../common/parameters";

/**
 * What the driver writes, as a comment, on the roles that it makes: the record that survives its restart. Only who may
 * administer a role can change its comment, so no account can forge one; everyone at the server can read it.
 */
export interface DeploymentRecord {
  readonly kind: "deployment";
  /** Name of the driver, in lower case. */
  readonly driver: string;
  /** Name of the deployment, which is that of its database. */
  readonly deployment: string;
  readonly parameters: Parameters;
  /** For whom it was made, where the caller said so. */
  readonly owner: string | undefined;
  /** False from before the database is made until all that belongs to it is there. */
  readonly complete: boolean;
}

/** The same for the role of an account. */
export interface AccountRecord {
  readonly kind: "account";
  readonly driver: string;
  /** Name of the deployment that it has access to. */
  readonly deployment: string;
  /** Name of the account, which is that of the role. */
  readonly account: string;
  readonly parameters: Parameters;
  readonly owner: string | undefined;
  /** True from when a revoke has locked it out: one that is refused after all lets it in again. */
  readonly leaving: boolean;
}

/** The same for a role that owns what another one has left behind. */
export interface HeirRecord {
  readonly kind: "heir";
  readonly driver: string;
  readonly deployment: string;
  /** Name of the role that has left it. */
  readonly of: string;
}

/** A record as a comment. */
export function formatRecord(record: DeploymentRecord | AccountRecord | HeirRecord): string {
  if (record.kind === "heir") return JSON.stringify(record);
  return JSON.stringify({ ...record, parameters: Object.fromEntries(record.parameters) });
}

/** The record of a role of a deployment; undefined if the comment is none. */
export function parseDeploymentRecord(comment: string): DeploymentRecord | undefined {
  const found = parse(comment);
  if (found?.["kind"] !== "deployment") return undefined;
  const common = parseCommon(found);
  return common && { kind: "deployment", ...common, complete: found["complete"] === true };
}

/** The record of the role of an account; undefined if the comment is none. */
export function parseAccountRecord(comment: string): AccountRecord | undefined {
  const found = parse(comment);
  if (found?.["kind"] !== "account" || typeof found["account"] !== "string") return undefined;
  const common = parseCommon(found);
  return (
    common && { kind: "account", ...common, account: found["account"], leaving: found["leaving"] === true }
  );
}

/** The record of an heir; undefined if the comment is none. */
export function parseHeirRecord(comment: string): HeirRecord | undefined {
  const found = parse(comment);
  if (found?.["kind"] !== "heir") return undefined;
  const { driver, deployment, of } = found;
  if (typeof driver !== "string" || typeof deployment !== "string" || typeof of !== "string")
    return undefined;
  return { kind: "heir", driver: driver.toLowerCase(), deployment, of };
}

/**
 * Compares what is there with what a call asks for.
 *
 * @throws DriverError `already-exists` if it was made with other parameters, or for another owner: the two would not know
 * of each other, and each would remove what the other uses.
 */
export function requireSame(
  there: Pick<DeploymentRecord, "parameters" | "owner">,
  asked: Pick<DeploymentRecord, "parameters" | "owner">,
): void {
  requireSameParameters(there, asked);
  requireSameOwner(there, asked);
}

function requireSameParameters(
  there: Pick<DeploymentRecord, "parameters">,
  asked: Pick<DeploymentRecord, "parameters">,
): void {
  const keys = new Set([...there.parameters.keys(), ...asked.parameters.keys()]);
  const others = [...keys].filter((key) => there.parameters.get(key) !== asked.parameters.get(key));
  if (others.length > 0) {
    throw new DriverError(
      "already-exists",
      `it exists and was made with other parameters: ${others.sort().join(", ")}`,
    );
  }
}

/**
 * Compares the owner alone, where there is a record of what is gone: it is its owner's still, who will make it anew or remove
 * the rest of it.
 *
 * @throws DriverError `already-exists` if it was made for another one.
 */
export function requireSameOwner(
  there: Pick<DeploymentRecord, "owner">,
  asked: Pick<DeploymentRecord, "owner">,
): void {
  if (there.owner !== undefined && asked.owner !== undefined && there.owner !== asked.owner) {
    throw new DriverError(
      "already-exists",
      "it exists and was made for another owner, such as another Pulumi stack; use another name, or take it over by its id",
    );
  }
}

type Found = Readonly<Record<string, unknown>>;

function parse(comment: string): Found | undefined {
  try {
    const value: unknown = JSON.parse(comment);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function parseCommon(found: Found) {
  const { driver, deployment, parameters, owner } = found;
  if (typeof driver !== "string" || typeof deployment !== "string") return undefined;
  if (typeof parameters !== "object" || parameters === null) return undefined;
  return {
    driver: driver.toLowerCase(),
    deployment,
    parameters: new Map(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    owner: typeof owner === "string" ? owner : undefined,
  };
}
