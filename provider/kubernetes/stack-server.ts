import { createHash } from "node:crypto";
import { canonical, isUnknown } from "../dynamic/values";
import { isKubeconfigText, readKubeconfig } from "./kubeconfig";
import { stackConnection, type KubernetesTarget } from "./target";

/**
 * What the stack's config says of the API server. The default provider of @pulumi/kubernetes knows a cluster by it alone: where
 * it changes, be it a renewed certificate authority, every object is replaced.
 */
export interface StackServer {
  /** `kubernetes:kubeconfig` where it is a path: what changes in a file is seen by nobody. */
  path: string | null;
  /** `kubernetes:context`. */
  context: string | null;
  /** Address; `null` where the config has no kubeconfig. */
  server: string | null;
  /** Of all that the kubeconfig says of the cluster. */
  digest: string | null;
  /** `kubernetes:clusterIdentifier`: while it stays, nothing is replaced. */
  identifier: string | null;
}

/**
 * Reads what the stack's config says now.
 *
 * @param target What the components say themselves: they have a provider of their own then, which has an identifier.
 * @returns `null` where the config does not count, or says nothing; `undefined` where it cannot be read or is not known: what
 *   connects with it says so.
 */
export async function stackServer(
  target: KubernetesTarget | null | undefined,
): Promise<StackServer | null | undefined> {
  if (isUnknown(target) || isUnknown(target?.kubeconfig) || isUnknown(target?.context)) return undefined;
  if ((target?.kubeconfig ?? target?.context ?? "") !== "") return null;
  const { kubeconfig, context = null, clusterIdentifier: identifier = null } = stackConnection();
  if (kubeconfig === undefined) {
    return identifier === null ? null : { path: null, context, server: null, digest: null, identifier };
  }
  try {
    const { cluster, server } = await readKubeconfig(kubeconfig, context ?? undefined);
    // What is left out means the same.
    const said = Object.entries(cluster).filter(([, value]) => Boolean(value));
    const digest = createHash("sha256")
      .update(canonical(Object.fromEntries(said)))
      .digest("hex")
      .slice(0, 32);
    return { path: isKubeconfigText(kubeconfig) ? null : kubeconfig, context, server, digest, identifier };
  } catch {
    return undefined;
  }
}

/**
 * Why an `up` would have @pulumi/kubernetes replace every object of the stack, and with its claims their buckets. A server
 * that is really another one is refused by its UID, but only when the objects have been replaced.
 *
 * @param before What the last `up` knew.
 */
export function movedServerProblem(
  before: StackServer | null | undefined,
  now: StackServer | null | undefined,
): string | undefined {
  if (!before || !now) return undefined;
  const replaced =
    "@pulumi/kubernetes would take it for another cluster and replace every object, so that claims get new, empty buckets";
  if (before.identifier !== now.identifier && before.identifier !== null && now.identifier !== null) {
    return (
      `the stack's kubernetes:clusterIdentifier is ${now.identifier}, and was ${before.identifier} at the last update: ` +
      `${replaced}. Next: put it back`
    );
  }
  if (before.digest === null || now.digest === null || before.digest === now.digest) return undefined;
  if (before.path !== null && before.path === now.path && before.context === now.context) return undefined;
  if (before.identifier !== null && before.identifier === now.identifier) return undefined;
  const how =
    before.server === now.server
      ? `says something else about ${now.server ?? ""}, such as its certificate authority, than`
      : `names the API server ${now.server ?? ""}, and named ${before.server ?? ""}`;
  return (
    `the stack's kubernetes:kubeconfig ${how} at the last update: ${replaced}. Next: put the config back if it is another ` +
    "cluster; if it is the same, take kubernetes:kubeconfig out of the config, give the new one as KUBECONFIG and run " +
    "`pulumi up`; after that set kubernetes:clusterIdentifier, and kubernetes:kubeconfig again if you want it there"
  );
}
