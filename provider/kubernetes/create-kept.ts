import { attemptAll } from "./attempt-all";
import type { KubernetesClient } from "./client";
import { removeFinalizers } from "./finalizers";
import { requireKept } from "./kept-by-server";
import type { KubernetesKind, KubernetesObject } from "./object";

/**
 * Creates an object, and takes it away again where the server has not kept its marks: nothing is made for it, and no later
 * run would know it.
 *
 * @throws RefusedError of {@link requireKept}.
 */
export async function createKept(
  client: KubernetesClient,
  kind: KubernetesKind,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const created = await client.create(kind, object);
  const { uid } = created.metadata;
  const { finalizers = [] } = object.metadata;
  try {
    requireKept(kind, object.metadata, object.metadata, created);
  } catch (error) {
    if (uid !== undefined) {
      await attemptAll([
        () => removeFinalizers(client, kind, object.metadata, uid, finalizers),
        () => client.delete(kind, object.metadata, { uid }),
      ]);
    }
    throw error;
  }
  return created;
}
