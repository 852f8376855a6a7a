import type { KubernetesObject } from "../../kubernetes/object";
import type { SentMark } from "../sent-mark";
import { objectBucketClaimKind } from "./kinds";
import type { UidReference } from "./status";

/** A mark on the claim of this UID that a call may have been sent. */
export function markOf(claim: UidReference, annotation: string): SentMark {
  const isOwn = ({ metadata }: KubernetesObject): boolean => metadata.uid === claim.uid;
  return { kind: objectBucketClaimKind, reference: claim, annotation, isOwn };
}
