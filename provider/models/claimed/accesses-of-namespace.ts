import type { KubernetesClient } from "../../kubernetes/client";
import type { KubernetesObject } from "../../kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import type { ClaimedApi } from "./claimed-api";

/**
 * The accesses in the namespace of a claim, with what tells who uses which claim: names, UIDs, whose they are, finalizers and
 * the claim. A destroy of a thousand claims asks a thousand times, and keeps no more of them.
 */
export function accessesOfNamespace(
  client: KubernetesClient,
  { kinds, fields }: Pick<ClaimedApi, "kinds" | "fields">,
  namespace: string,
): Promise<readonly KubernetesObject[]> {
  return client.list(kinds.access, {
    namespace,
    fields: [
      ["metadata", "namespace"],
      ["metadata", "uid"],
      ["metadata", "finalizers"],
      ["metadata", "annotations", ownerAnnotation],
      ["metadata", "annotations", stackIdAnnotation],
      ["spec", fields.claimName],
    ],
  });
}
