import { secretKind } from "../../../provider/kubernetes/object";
import { isRecord } from "../../../provider/dynamic/values";
import type { Cluster } from "./cluster";

/** Keys of what a Secret hides; the rest of it are addresses and names. */
const secretKeys = /access_?key|secret|token|password|privatekey|database_?url/i;

/** Clusters that run, by the kubeconfig that leads there. */
const clusters = new Map<string, Cluster>();

/** Has every command that is given this cluster's kubeconfig searched for secrets in its objects. */
export function watchCluster(cluster: Cluster): void {
  clusters.set(cluster.plane.kubeconfig, cluster);
}

export function forgetCluster(cluster: Cluster): void {
  clusters.delete(cluster.plane.kubeconfig);
}

/** What a cluster shows, and what its Secrets hide. */
export interface ClusterTexts {
  readonly open: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** @returns `undefined` for a kubeconfig that leads to no cluster that a test has started. */
export async function textsOfCluster(kubeconfig: string | undefined): Promise<ClusterTexts | undefined> {
  const cluster = kubeconfig === undefined ? undefined : clusters.get(kubeconfig);
  if (cluster === undefined) return undefined;
  const secrets = await cluster.client.list(secretKind);
  const metadata = secrets.map((secret) => secret.metadata);
  return {
    open: {
      ...(await cluster.textOfAllButSecrets()),
      "metadata of Secrets": JSON.stringify(metadata),
    },
    hidden: secrets.flatMap((secret) =>
      Object.entries((secret["data"] ?? {}) as Readonly<Record<string, string>>).flatMap(([key, value]) =>
        hiddenIn(key, Buffer.from(value, "base64").toString()),
      ),
    ),
  };
}

function hiddenIn(key: string, text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value))
      return Object.entries(value).flatMap(([inner, entry]) => hiddenInValue(inner, entry));
  } catch {
    // It is a plain text.
  }
  return hiddenInValue(key, text);
}

function hiddenInValue(key: string, value: unknown): string[] {
  if (isRecord(value)) return Object.entries(value).flatMap(([inner, entry]) => hiddenInValue(inner, entry));
  return typeof value === "string" && secretKeys.test(key) ? [value] : [];
}
