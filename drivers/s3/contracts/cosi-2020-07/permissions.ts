import { DriverError } from "../../../common/driver-error";
import { quote } from "../../../common/text";
import type { AccessMode, Parameters } from "../../core/parameters";
import { NamedError } from "./error-names";

/** The field `permissions`, as callers fill it. */
type Permissions = ReadonlyMap<string, string>;

const ACCESS = "cosi.io/bucket-access";
const SERVICE_ACCOUNT = "cosi.io/service-account";

/** The policy actions of this driver, and what each lets an account do. */
const ACTIONS: Readonly<Record<string, readonly ("r" | "w")[]>> = {
  read: ["r"],
  write: ["w"],
  "*": ["r", "w"],
};

/**
 * The name of the access, which is the key of the account.
 *
 * @throws DriverError `invalid-argument` if it is missing.
 */
export function accessOf(permissions: Permissions): string {
  const access = permissions.get(ACCESS) ?? "";
  if (access === "") {
    throw new DriverError(
      "invalid-argument",
      `permissions: key "${ACCESS}" is required and was not given: it is what tells one account from another`,
    );
  }
  return access;
}

/**
 * What the account may do, as parameters of the core: the driver's own key `accessMode`, or the policy actions.
 *
 * @throws DriverError `invalid-argument` naming key and reason; NamedError for an account of the platform, as this
 * driver has accounts with keys alone.
 */
export function accessParameters(permissions: Permissions): Parameters {
  if (permissions.has(SERVICE_ACCOUNT)) {
    throw new NamedError(
      "GRANT_INVALID_PRINCIPAL",
      `permissions: key "${SERVICE_ACCOUNT}": accounts of a platform are not offered, only accounts with keys`,
    );
  }
  const parameters = new Map([...permissions].filter(([key]) => !key.startsWith("cosi.io/")));
  const allowed = actionsOf(parameters, "allow");
  const denied = actionsOf(parameters, "deny");
  if (allowed === undefined && denied === undefined) return parameters;
  if (parameters.has("accessMode")) {
    throw new DriverError("invalid-argument", 'permissions: key "accessMode" is given beside policy actions');
  }
  const rights = (allowed ?? ["r", "w"]).filter((right) => denied?.includes(right) !== true);
  parameters.delete("allow");
  parameters.delete("deny");
  return parameters.set("accessMode", modeOf(rights));
}

function actionsOf(permissions: Permissions, key: "allow" | "deny"): ("r" | "w")[] | undefined {
  return permissions
    .get(key)
    ?.split(",")
    .flatMap((action) => {
      const rights = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
      if (rights !== undefined) return rights;
      throw new DriverError(
        "invalid-argument",
        `permissions: key "${key}": action ${quote(action)} is not one of ${Object.keys(ACTIONS).join(", ")}`,
      );
    });
}

function modeOf(rights: readonly ("r" | "w")[]): AccessMode {
  const reads = rights.includes("r");
  const writes = rights.includes("w");
  if (reads) return writes ? "rw" : "ro";
  if (writes) return "wo";
  throw new DriverError("invalid-argument", "permissions: the actions deny all that they allow");
}
