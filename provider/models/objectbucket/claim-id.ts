/** What the id of a claim's resource tells. */
export interface ClaimId {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The bucket was there before; else it is made for the claim. */
  readonly isExisting: boolean;
  /** Name of the bucket that is made, or id of the one that was there. */
  readonly bucket: string;
}

const [made, existing] = ["new", "existing"];

/**
 * The id of a claim's resource: `<namespace>/<name>/<uid>/new/<bucket>`. An id stays known in the preview of an update, where
 * an output does not, and an unknown name or UID would be another one.
 */
export function claimIdOf({ namespace, name, uid, isExisting, bucket }: ClaimId): string {
  return [namespace, name, uid, isExisting ? existing : made, bucket].join("/");
}

/** Reads an id of {@link claimIdOf}. A bucket's id may have slashes in it. */
export function readClaimId(id: string): ClaimId {
  const [namespace = "", name = "", uid = "", origin = "", ...bucket] = id.split("/");
  return { namespace, name, uid, isExisting: origin === existing, bucket: bucket.join("/") };
}
