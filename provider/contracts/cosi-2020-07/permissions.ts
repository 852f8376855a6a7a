import type { AccessTerms } from "../contract";

type Parameters = Readonly<Record<string, string>>;

/** Begins the keys that the orchestrator uses itself: in parameters for its own steering, in permissions for names. */
const ownPrefix = "cosi.io/";

/** Keys of the policy actions in `permissions`. */
const actionKeys = ["allow", "deny"] as const;

/** The parameters that a driver gets: all but those that steer the orchestrator. */
export function driverParameters(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(ownPrefix)));
}

/** What a grant and its revoke are about. */
export interface Permitted extends AccessTerms {
  /** Name of the BucketAccess object, or of the account where there is no object. */
  readonly access: string;
  readonly parameters: Parameters;
}

/**
 * The field `permissions`, equal for a grant, its repeats and its revoke. The message has no field for who gets access
 * and no key for a repeat, so both stand in it.
 * Source: COSI proposal of 2020-07-08, GrantBucketAccessRequest; keys decided.
 *
 * @throws Error where {@link permissionsProblem} finds one.
 */
export function permissionsOf({
  access,
  parameters,
  policyActions,
  serviceAccount,
}: Permitted): Map<string, string> {
  const problem = permissionsProblem({ parameters, policyActions: policyActions ?? null });
  if (problem !== undefined) throw new Error(problem);
  const permissions = new Map(Object.entries(driverParameters(parameters)));
  for (const key of actionKeys) {
    const actions = policyActions?.[key];
    if (actions !== undefined && actions.length > 0) permissions.set(key, actions.join(","));
  }
  permissions.set("cosi.io/bucket-access", access);
  if (serviceAccount !== undefined && serviceAccount !== null) {
    permissions.set("cosi.io/service-account", `${serviceAccount.namespace}/${serviceAccount.name}`);
  }
  return permissions;
}

/** What in parameters and policy actions has no place in `permissions`, in words, or `undefined`. */
export function permissionsProblem({
  parameters,
  policyActions,
}: Pick<Permitted, "parameters" | "policyActions">): string | undefined {
  for (const key of actionKeys) {
    if (key in parameters) {
      return `the parameter ${JSON.stringify(key)} has the key that carries the policy actions: give them as policyActions, or rename the parameter`;
    }
    for (const action of policyActions?.[key] ?? []) {
      if (action.includes(",")) {
        return `the policy action ${JSON.stringify(action)} has a comma, which separates actions: give each action on its own`;
      }
    }
  }
  return undefined;
}
