import { type Parameters, type Rules, checkParameters, oneOf } from "../../common/parameters";
import { connectionLimit } from "./deployment-parameters";

/** What an account may do with what its database holds. */
export type AccessMode = "readonly" | "readwrite" | "admin";

/** Every key of a grant, and of the context of a revoke. */
const RULES = {
  mode: oneOf("readonly", "readwrite", "admin"),
  onRevoke: oneOf("reassign", "refuse"),
  connectionLimit,
} satisfies Rules;

/** @throws DriverError naming field, key and reason: `out-of-range` for a number beyond its limits, else `invalid-argument`. */
export function checkAccountParameters(field: string, parameters: Parameters): void {
  checkParameters(field, parameters, RULES);
}

/** What checked parameters say. */
export interface AccountSettings {
  readonly mode: AccessMode;
  /** Whether a revoke is refused as long as the account owns anything. */
  readonly keepsOwned: boolean;
  readonly connectionLimit: number | undefined;
}

export function accountSettings(parameters: Parameters): AccountSettings {
  const mode = parameters.get("mode");
  const limit = parameters.get("connectionLimit");
  return {
    mode: mode === "readonly" || mode === "admin" ? mode : "readwrite",
    keepsOwned: parameters.get("onRevoke") === "refuse",
    connectionLimit: limit === undefined ? undefined : Number(limit),
  };
}
