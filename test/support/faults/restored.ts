import assert from "node:assert/strict";
import type { KubernetesClient } from "../../../provider/kubernetes/client";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";

/** An object is lost, and comes back as a backup has it: all but what the server fills in, and the status. */
export async function restoreFromBackup(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference,
): Promise<void> {
  const found =
    (await client.get(kind, reference)) ?? assert.fail(`there is no ${kind.kind} ${reference.name}`);
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = found.metadata;
  await client.patch(kind, reference, { metadata: { finalizers: [] } });
  await client.delete(kind, reference);
  const restored = await client.create(kind, {
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
    },
    ...(found["spec"] === undefined ? {} : { spec: found["spec"] }),
  });
  assert.notEqual(restored.metadata.uid, found.metadata.uid);
}
