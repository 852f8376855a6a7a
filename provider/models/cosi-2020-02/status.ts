import type { KubernetesClient } from "../../kubernetes/client";
import { changeStatus } from "../../kubernetes/metadata";
import type { KubernetesKind, KubernetesObject, ObjectReference } from "../../kubernetes/object";
import { conditionsOf } from "./records";
import type { BucketPhase, ContentPhase } from "./specs";

/** What is to stand in `status`; what is left out stays. */
export interface StatusChange {
  readonly phase?: BucketPhase | ContentPhase;
  /** `""` takes it away. Never with a credential in it. Only a BucketContent has one. */
  readonly message?: string;
  /** The condition `Deleting`. */
  readonly isDeleting?: boolean;
  readonly bucketContentName?: string;
}

/** An object of a UID, or any of its name. */
export type StatusTarget = ObjectReference & { readonly uid?: string | undefined };

/**
 * Writes what is other than it should be into the object of this UID; one that is gone, or has the name of ours, has nothing
 * to be told.
 *
 * @param change From the object as it is; `undefined`: it stays.
 */
export async function writeStatus(
  client: KubernetesClient,
  kind: KubernetesKind,
  { namespace, name, uid }: StatusTarget,
  change: StatusChange | ((object: KubernetesObject) => StatusChange | undefined),
): Promise<void> {
  await changeStatus(client, kind, { namespace, name }, (object) => {
    if (uid !== undefined && object.metadata.uid !== uid) return undefined;
    const wanted = typeof change === "function" ? change(object) : change;
    return wanted === undefined ? undefined : patchOf(object, wanted);
  });
}

function patchOf(
  object: KubernetesObject,
  { isDeleting, ...fields }: StatusChange,
): Record<string, unknown> | undefined {
  const status = (object["status"] ?? {}) as Record<string, unknown>;
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if ((status[key] ?? "") !== value) patch[key] = value === "" ? null : value;
  }
  const conditions = isDeleting === undefined ? undefined : withDeleting(object, isDeleting);
  if (conditions !== undefined) patch["conditions"] = conditions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The conditions with the one of the deletion as it should be; `undefined` if they are so. */
function withDeleting(object: KubernetesObject, isDeleting: boolean): Record<string, unknown>[] | undefined {
  const conditions = conditionsOf(object);
  const others = conditions.filter(({ type }) => type !== "Deleting");
  const now = conditions.find(({ type }) => type === "Deleting");
  if ((now?.["status"] === "True") === isDeleting && (isDeleting || now === undefined)) return undefined;
  if (!isDeleting) return others;
  return [
    ...others,
    {
      type: "Deleting",
      status: "True",
      reason: "ResourceDeleted",
      message: "the resource was deleted from its Pulumi stack",
      lastTransitionTime: new Date().toISOString(),
    },
  ];
}
