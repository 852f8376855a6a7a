import type { GrantedCredentials } from "../credentials/reader";
import type { IssuedCredentials } from "./issued-credentials";

/** What a grant gave. */
export interface GrantedAccount extends IssuedCredentials {
  /** `null` while a grant has no known outcome. */
  accountId: string | null;
  granted: GrantedCredentials | null;
  /** When the driver granted it, RFC 3339; absent in a state of before that was kept. */
  grantedAt?: string | null;
}

/** An account whose id is known. */
export type KnownAccount = GrantedAccount & { accountId: string };
