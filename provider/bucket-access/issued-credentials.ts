import type { CheckedInputs } from "./inputs";
import type { GrantedAccess, IssuedCredential } from "../contracts/contract";
import { UnusableCredentialsError, type GrantedSecrets } from "../credentials/reader";

/** The credentials of an account that its revoke names, and how far that revoke has come. */
export interface IssuedCredentials {
  /** As the driver issued them. @default none: one revoke ends the account */
  issued?: readonly IssuedCredential[] | null;
  /** Positions in `issued` of those that are revoked. @default none is */
  revoked?: readonly number[];
}

/** What of an account is about its issued credentials; nothing where the contract has none. */
export function issuedOf({ issued, revoked }: IssuedCredentials): IssuedCredentials {
  return {
    ...(issued === undefined || issued === null ? {} : { issued }),
    ...(revoked === undefined ? {} : { revoked }),
  };
}

/**
 * True if an account is usable whatever credentials it has: a contract that issues them may name who gets access, and
 * give no keys. A Secret that has places for certain protocols needs their keys all the same.
 */
export function needsNoKeys({ objects }: Pick<CheckedInputs, "objects">, issued: unknown): boolean {
  return issued !== undefined && issued !== null && (objects?.secretProtocols ?? undefined) === undefined;
}

/** All credentials of a grant in one map: the contract tells several apart by their keys. */
export function allSecrets(
  credentials: GrantedAccess["credentials"],
  protocol: GrantedSecrets["protocol"],
): GrantedSecrets {
  return { protocol, secrets: Object.fromEntries([...credentials.values()].flatMap((entry) => [...entry])) };
}

/** @throws UnusableCredentialsError for credentials without any value: there is nothing to deliver. */
export function requireAnyValue({ secrets }: GrantedSecrets): void {
  if (Object.values(secrets).some((value) => value !== "")) return;
  throw new UnusableCredentialsError("the driver issued no credentials, or only some without any value");
}
