import type { KubernetesClient } from "../../kubernetes/client";
import { changeStatus } from "../../kubernetes/metadata";
import type { KubernetesKind, ObjectReference } from "../../kubernetes/object";
import { readStatus } from "./records";
import type { Phase } from "./specs";

/** What `status` says. Kinds without a field `message` drop it. */
export interface PhaseStatus {
  readonly phase: Phase;
  /** The reason, for people; never with a credential in it. @default none */
  readonly message?: string;
}

/**
 * Writes a phase, unless it is there already, into the object of this UID; one that is gone, or has the name of ours, has
 * nothing to be told.
 */
export async function setPhase(
  client: KubernetesClient,
  kind: KubernetesKind,
  reference: ObjectReference & { readonly uid?: string | undefined },
  { phase, message = "" }: PhaseStatus,
): Promise<void> {
  await changeStatus(client, kind, { namespace: reference.namespace, name: reference.name }, (object) => {
    if (reference.uid !== undefined && object.metadata.uid !== reference.uid) return undefined;
    const now = readStatus(object);
    const same = now.phase === phase && now.message === message;
    return same ? undefined : { phase, message: message === "" ? null : message };
  });
}
