import type { KubernetesClient } from "../../kubernetes/client";
import { changeMetadata, changeStatus } from "../../kubernetes/metadata";
import type { KubernetesKind, ObjectReference } from "../../kubernetes/object";
import { lastErrorAnnotation, objectBucketClaimKind } from "./kinds";
import { readClaim, type Phase } from "./records";

/** How phases are written: `Bound` as released operators do, or `bound` as the design document does. Source: OBC-095. */
export type Dialect = "rook" | "seed";

/** A phase as a dialect writes it. */
export function phaseIn(dialect: Dialect, phase: Phase): string {
  return dialect === "seed" ? phase.toLowerCase() : phase;
}

/** An object by its name, of this UID only. */
export type UidReference = ObjectReference & { readonly uid: string };

/**
 * Writes the phase of the object of this UID, if it has another one.
 *
 * @param dialect By default that of the phase which is there.
 */
export async function writePhase(
  client: KubernetesClient,
  kind: KubernetesKind,
  { namespace, name, uid }: UidReference,
  phase: Phase,
  dialect?: Dialect,
): Promise<void> {
  await changeStatus(client, kind, { namespace, name }, (object) => {
    if (object.metadata.uid !== uid) return undefined;
    const { phaseText } = readClaim(object);
    const isLower = phaseText !== "" && phaseText === phaseText.toLowerCase();
    const wanted = phaseIn(dialect ?? (isLower ? "seed" : "rook"), phase);
    return phaseText === wanted ? undefined : { phase: wanted };
  });
}

/** Longest text that is kept of an error. */
const longestError = 1024;

/** Says in the claim why the run has failed, or that it has not. @param reason Never with a secret in it; `null` clears. */
export async function tellError(
  client: KubernetesClient,
  claim: UidReference,
  reason: string | null,
): Promise<void> {
  const wanted = reason?.slice(0, longestError) ?? undefined;
  await changeMetadata(client, objectBucketClaimKind, claim, ({ metadata }) =>
    metadata.uid !== claim.uid || metadata.annotations?.[lastErrorAnnotation] === wanted
      ? undefined
      : { annotations: { [lastErrorAnnotation]: wanted ?? null } },
  );
}
