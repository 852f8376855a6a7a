import type { KubernetesClient } from "../../../provider/kubernetes/client";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";

/** Removes an object as a person does who will not wait: its finalizers off, then the object. */
export async function removeByHand(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
): Promise<void> {
  await client.patch(kind, reference, { metadata: { finalizers: null } });
  await client.delete(kind, reference);
  if ((await client.get(kind, reference)) !== undefined) throw new Error(`${reference.name} is still there`);
}

/** Changes an object in a way that nobody minds; a watch that began before then knows what it was like. */
export async function touch(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
): Promise<void> {
  await client.patch(kind, reference, { metadata: { labels: { touched: String(Date.now()) } } });
}
