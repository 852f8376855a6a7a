import type { KubernetesClient } from "../../kubernetes/client";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { requireUid } from "../../kubernetes/metadata";
import { refuseForeign } from "../../kubernetes/foreign-object";
import { describe, namespaceKind, pathOf, type KubernetesObject } from "../../kubernetes/object";
import { isOwnedByStack, ownerAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import { warn } from "../../run/warning";
import { bucketStateKey, driverStateKey } from "./additional-state";
import { objectBucketFault } from "./adoptable";
import { warnOfUnwritten } from "./adoption";
import type { ClaimId } from "./claim-id";
import { contestedBucket, requirePlaces } from "./claim-places";
import { claimProblems, otherProvisionerProblem } from "./claim-rules";
import type { ClaimInputs } from "./claim-state";
import { brownfieldBucketOf, readStorageClass, type ClaimClass } from "./class-parameters";
import { requireDialect } from "./dialect";
import { objectBucketClaimKind, objectBucketKind, storageClassKind } from "./kinds";
import { generatedBucketName, namedBucketName } from "./names";
import { isOfClaim, readClaim, readObjectBucket } from "./records";

/** What is sure of a claim before anything is written or sent. */
export interface Settled {
  readonly storageClass: ClaimClass;
  /** Our claim, if it is there already. */
  readonly found: KubernetesObject | undefined;
}

/**
 * Judges all that can be judged before the first write. Source: OBC-037, OBC-040, OBC-044, OBC-055, OBC-103, OBC-116.
 *
 * @param uid Of the claim in the state. @default there is none
 * @param isConfigNew Its `additionalConfig` is not what was judged before.
 * @throws RefusedError
 */
export async function settleClaim(
  client: KubernetesClient,
  inputs: ClaimInputs,
  uid?: string,
  isConfigNew = true,
): Promise<Settled> {
  await requireDialect(client, inputs.dialect);
  const storageClass = inputs.storageClass ?? (await lookUp(client, inputs));
  const [problem] = claimProblems(inputs, storageClass, {
    isNamed: uid === undefined,
    isConfigured: isConfigNew,
  });
  const claim = describe(objectBucketClaimKind, inputs);
  if (problem !== undefined) throw new RefusedError(`${claim}: ${problem.input} ${problem.text}`);
  const { namespace } = inputs;
  const found = await client.get(objectBucketClaimKind, inputs);
  if (found === undefined) {
    if ((await client.get(namespaceKind, { name: namespace })) === undefined) {
      throw new RefusedError(`the namespace ${namespace} of ${claim} does not exist: make it first`);
    }
  } else if (uid === undefined) {
    await refuseForeign(client, objectBucketClaimKind, inputs, [inputs]);
  } else {
    requireUid(objectBucketClaimKind, inputs, found, uid);
  }
  const id = claimIdFor(inputs, storageClass, found?.metadata.uid ?? "");
  await requirePlaces(client, inputs, id.uid, contestedBucket(id));
  return { storageClass, found };
}

/** The id of a claim's resource. @param uid `""` before the claim is there. */
export function claimIdFor(inputs: ClaimInputs, { parameters }: ClaimClass, uid: string): ClaimId {
  const { namespace, name } = inputs;
  const existing = brownfieldBucketOf(parameters);
  return existing === undefined
    ? { namespace, name, uid, isExisting: false, bucket: newBucketName(inputs, uid) }
    : { namespace, name, uid, isExisting: true, bucket: existing.bucketId };
}

/** The name of a bucket that is made for a claim: OBC-020, OBC-022, OBC-052, OBC-054. */
export function newBucketName(inputs: ClaimInputs, uid: string): string {
  const { bucketName, generateBucketName, naming } = inputs;
  if (typeof bucketName === "string" && bucketName !== "") return bucketName;
  return naming === "namespaceAndName"
    ? namedBucketName(inputs)
    : generatedBucketName(generateBucketName ?? "", uid);
}

/** OBC-040. */
async function lookUp(client: KubernetesClient, inputs: ClaimInputs): Promise<ClaimClass> {
  const reference = { name: inputs.storageClassName };
  const found = await client.get(storageClassKind, reference);
  if (found !== undefined) {
    const { provisioner, ...storageClass } = readStorageClass(found);
    const problem = otherProvisionerProblem(inputs, { provisioner, ...storageClass });
    if (problem === undefined) return retained(storageClass, inputs);
    throw new RefusedError(`${describe(objectBucketClaimKind, inputs)}: ${problem}`);
  }
  throw new RefusedError(
    `${describe(storageClassKind, reference)}, which ${describe(objectBucketClaimKind, inputs)} names, does not exist: make it ` +
      "first, or correct storageClassName",
  );
}

/** A bucket that was there before is kept, whatever a class says that was made elsewhere. */
function retained(storageClass: ClaimClass, claim: ClaimInputs): ClaimClass {
  const { name, reclaimPolicy, parameters } = storageClass;
  if (reclaimPolicy === "Retain" || brownfieldBucketOf(parameters) === undefined) return storageClass;
  warn(
    objectBucketClaimKind.kind,
    pathOf(claim),
    `its StorageClass ${name} has reclaimPolicy Delete and names a bucket that was there before, which is kept anyway`,
  );
  return { ...storageClass, reclaimPolicy: "Retain" };
}

/**
 * A claim that is there and is taken as it is: its id, and what is known of its class. Nothing is written.
 *
 * @throws RefusedError for one that is not there, not bound, about to go, or another driver's.
 */
export async function adoptClaim(
  client: KubernetesClient,
  inputs: ClaimInputs,
): Promise<{ id: ClaimId; storageClass: ClaimClass }> {
  const { namespace, name, storageClassName, driverName } = inputs;
  const what = describe(objectBucketClaimKind, inputs);
  const refused = (text: string): RefusedError => new RefusedError(`adopt is true, and ${what} ${text}`);
  const found = await client.get(objectBucketClaimKind, inputs);
  if (found === undefined) {
    throw refused(
      "does not exist: correct namespace and name, or remove it from the program; to have a claim made, declare one without " +
        "adopt, under another name in the program if the state has this one",
    );
  }
  const other = found.metadata.annotations?.[ownerAnnotation];
  if (other !== undefined && !isOwnedByStack(found, inputs)) {
    throw refused(
      `belongs to the stack ${other}, which would keep managing it: remove it from that stack's state first (pulumi state delete), ` +
        `then take off its annotations ${ownerAnnotation} and ${stackIdAnnotation}`,
    );
  }
  const claim = readClaim(found);
  if (claim.deletionTimestamp !== undefined)
    throw refused(`is being deleted since ${claim.deletionTimestamp}`);
  if (claim.phase !== "Bound")
    throw refused(`has the phase ${JSON.stringify(claim.phaseText)}: only a bound one can be taken`);
  if (claim.storageClassName !== storageClassName) {
    throw refused(`has the StorageClass ${claim.storageClassName}: give that one`);
  }
  const object = await client.get(objectBucketKind, { name: inputs.objectBucketName });
  const record = object === undefined ? undefined : readObjectBucket(object);
  if (record === undefined || !isOfClaim(record, claim.uid)) {
    const where = describe(objectBucketKind, { name: inputs.objectBucketName });
    throw refused(`has no ${where} whose claimRef has its UID: leave it with whoever made it`);
  }
  const fault = objectBucketFault(record, claim.bucketName);
  if (fault !== undefined) {
    const where = describe(objectBucketKind, { name: inputs.objectBucketName });
    throw refused(`has the ${where}, which ${fault}: mend that, or leave the claim with whoever made it`);
  }
  const driver = record.additionalState[driverStateKey] ?? driverName;
  if (driver !== driverName) throw refused(`is of driver ${driver}, not ${driverName}: give that one`);
  const bucket = record.additionalState[bucketStateKey] ?? (claim.bucketName || record.endpoint.bucketName);
  if (bucket === "") throw refused("does not name its bucket (spec.bucketName)");
  warnOfUnwritten(inputs, found.metadata);
  const ofCluster = await client.get(storageClassKind, { name: storageClassName });
  const storageClass = inputs.storageClass ?? {
    name: storageClassName,
    reclaimPolicy: "Retain" as const,
    parameters: ofCluster === undefined ? {} : readStorageClass(ofCluster).parameters,
  };
  return { id: { namespace, name, uid: claim.uid, isExisting: true, bucket }, storageClass };
}
