import type { KubernetesClient } from "../../../provider/kubernetes/client";
import type { KubernetesKind } from "../../../provider/kubernetes/object";

const quotaKind: KubernetesKind = { apiVersion: "v1", kind: "ResourceQuota", plural: "resourcequotas" };

/**
 * A quota of a namespace that has no place for another Secret. No controller counts them here, so the quota is told.
 *
 * @returns What takes it away again.
 */
export async function fillQuota(client: KubernetesClient, namespace: string): Promise<() => Promise<void>> {
  const reference = { namespace, name: "full" };
  const hard = { "count/secrets": "1" };
  await client.create(quotaKind, { metadata: reference, spec: { hard } });
  await client.patchStatus(quotaKind, reference, { hard, used: hard });
  return async () => {
    await client.delete(quotaKind, reference);
  };
}
