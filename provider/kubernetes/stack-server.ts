import { createHash } from "node:crypto";
import { canonical } from "../dynamic/values";
import { isKubeconfigText, readKubeconfig } from "./kubeconfig";
import { stackConnection, type KubernetesTarget } from "./target";

/**
 * What the stack's `kubernetes:kubeconfig` and `kubernetes:context` say of the API server. The default provider of
 * @pulumi/kubernetes knows a cluster by it alone: where it changes, be it a renewed certificate authority, every object is
 * replaced.
 */
export interface StackServer {
  /** Where the kubeconfig is a file: what changes in it is seen by nobody. */
  path: string | null;
  server: string;
  /** Of all that is compared, for what may be long. */
  digest: string;
  /** The stack's `kubernetes:clusterIdentifier`: while it stays, nothing is replaced. */
  identifier: string | null;
}

/** What @pulumi/kubernetes compares. */
const compared = [
  "server",
  "certificate-authority-data",
  "certificate-authority",
  "tls-server-name",
  "insecure-skip-tls-verify",
  "proxy-url",
];

/**
 * @param target What the components say themselves: they have a provider of their own then, which has an identifier.
 * @returns `undefined` where nothing is in the stack's config, or it cannot be read: what connects with it says so.
 */
export async function stackServer(target: KubernetesTarget): Promise<StackServer | undefined> {
  const { kubeconfig, context, clusterIdentifier } = stackConnection();
  if (kubeconfig === undefined || (target.kubeconfig ?? target.context ?? "") !== "") return undefined;
  try {
    const { cluster, server } = await readKubeconfig(kubeconfig, context);
    const names = Object.fromEntries(compared.map((field) => [field, cluster[field] ?? null]));
    return {
      path: isKubeconfigText(kubeconfig) ? null : kubeconfig,
      server,
      digest: createHash("sha256").update(canonical(names)).digest("hex").slice(0, 32),
      identifier: clusterIdentifier ?? null,
    };
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
  now: StackServer | undefined,
): string | undefined {
  if (!before || now === undefined || before.digest === now.digest) return undefined;
  if (before.path !== null && before.path === now.path) return undefined;
  if (before.identifier !== null && before.identifier === now.identifier) return undefined;
  const how =
    before.server === now.server
      ? `names ${now.server} with another certificate authority, proxy or server name than`
      : `names the API server ${now.server} where it was ${before.server}`;
  return (
    `the stack's kubernetes:kubeconfig ${how} at the last update: @pulumi/kubernetes would take it for another cluster and ` +
    "replace every object, so that claims get new, empty buckets. Next: put the config back as it was; if it is the same cluster, " +
    "then run `pulumi config set kubernetes:clusterIdentifier NAME` and `pulumi up`, and change it after that"
  );
}
