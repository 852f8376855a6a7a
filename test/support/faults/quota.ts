import type { KubernetesClient } from "../../../provider/kubernetes/client";
import { requireCreatable } from "../../../provider/kubernetes/dry-run";
import { KubernetesError } from "../../../provider/kubernetes/kubernetes-error";
import { secretKind, type KubernetesKind } from "../../../provider/kubernetes/object";
import { untilHeeded } from "./heeded";

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
  await untilHeeded(`the quota of ${namespace}`, () => isFull(client, namespace));
  return async () => {
    await client.delete(quotaKind, reference);
    await untilHeeded(`no quota of ${namespace}`, async () => !(await isFull(client, namespace)));
  };
}

async function isFull(client: KubernetesClient, namespace: string): Promise<boolean> {
  try {
    await requireCreatable(client, secretKind, { metadata: { namespace, name: "one-more" } });
    return false;
  } catch (error) {
    if (error instanceof KubernetesError && error.failure.detail.includes("exceeded quota: full"))
      return true;
    throw error;
  }
}
