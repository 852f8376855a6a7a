import { isRecord } from "../../dynamic/values";
import type { KubernetesObject } from "../../kubernetes/object";
import { accountAnnotation, claimRefAnnotation, endSentAnnotation, finalizer } from "./kinds";

/** Phases of a claim; an ObjectBucket has all but `Pending`. Source: OBC-095. */
export type Phase = "Pending" | "Bound" | "Released" | "Failed";

const phases: readonly Phase[] = ["Pending", "Bound", "Released", "Failed"];

/** What claim and ObjectBucket have in common. */
interface CommonRecord {
  readonly uid: string;
  /** As it stands, in whatever case. */
  readonly phaseText: string;
  /** `undefined` for none, or one that is not known. */
  readonly phase: Phase | undefined;
  readonly isProtected: boolean;
  readonly deletionTimestamp: string | undefined;
}

/** What an ObjectBucketClaim says; fields that are absent, or of another type, read as empty. */
export interface ClaimRecord extends CommonRecord {
  readonly storageClassName: string;
  readonly bucketName: string;
  readonly objectBucketName: string;
  readonly additionalConfig: Readonly<Record<string, string>>;
  /** The driver's id of the account that was granted last. */
  readonly accountId: string;
  /** A call that ends its account, or its bucket, may have been sent. */
  readonly endSent: boolean;
}

/** The claim that an ObjectBucket is of. */
export interface ClaimReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What an ObjectBucket says; fields that are absent, or of another type, read as empty. */
export interface ObjectBucketRecord extends CommonRecord {
  readonly storageClassName: string;
  readonly reclaimPolicy: string;
  readonly claimRef: ClaimReference | undefined;
  readonly endpoint: {
    readonly host: string;
    readonly port: number | undefined;
    readonly bucketName: string;
    readonly region: string;
    readonly subRegion: string;
  };
  readonly additionalState: Readonly<Record<string, string>>;
}

/** Reads an ObjectBucketClaim. */
export function readClaim(object: KubernetesObject): ClaimRecord {
  const spec = recordIn(object["spec"]);
  const { annotations = {} } = object.metadata;
  return {
    ...readCommon(object),
    storageClassName: text(spec["storageClassName"]),
    bucketName: text(spec["bucketName"]),
    objectBucketName: text(spec["objectBucketName"]),
    additionalConfig: textsIn(spec["additionalConfig"]),
    accountId: annotations[accountAnnotation] ?? "",
    endSent: annotations[endSentAnnotation] !== undefined,
  };
}

/** Reads an ObjectBucket; of one in the dialect of the design document too. */
export function readObjectBucket(object: KubernetesObject): ObjectBucketRecord {
  const spec = recordIn(object["spec"]);
  const connection = recordIn(spec["connection"]);
  const endpoint = { ...recordIn(connection["endpoint"]), ...recordIn(spec["endpoint"]) };
  const port = endpoint["bucketPort"];
  return {
    ...readCommon(object),
    storageClassName: text(spec["storageClassName"]),
    reclaimPolicy: text(spec["reclaimPolicy"]),
    claimRef: referenceIn(spec["claimRef"]) ?? referenceIn(annotatedReference(object)),
    endpoint: {
      host: text(endpoint["bucketHost"]),
      port: typeof port === "number" ? port : undefined,
      bucketName: text(endpoint["bucketName"]),
      region: text(endpoint["region"]),
      subRegion: text(endpoint["subRegion"]),
    },
    additionalState: { ...textsIn(connection["additionalState"]), ...textsIn(spec["additionalState"]) },
  };
}

/** True for the ObjectBucket of the claim with this UID. */
export function isOfClaim({ claimRef }: ObjectBucketRecord, uid: string): boolean {
  return uid !== "" && claimRef?.uid === uid;
}

function readCommon({ metadata, ...object }: KubernetesObject): CommonRecord {
  const phaseText = text(recordIn(object["status"])["phase"]);
  return {
    uid: metadata.uid ?? "",
    phaseText,
    phase: phases.find((phase) => phase.toLowerCase() === phaseText.toLowerCase()),
    isProtected: metadata.finalizers?.includes(finalizer) === true,
    deletionTimestamp: metadata.deletionTimestamp,
  };
}

function annotatedReference({ metadata }: KubernetesObject): unknown {
  try {
    return JSON.parse(metadata.annotations?.[claimRefAnnotation] ?? "");
  } catch {
    return undefined;
  }
}

/** A definition that drops the fields of `claimRef` leaves an empty one. */
function referenceIn(value: unknown): ClaimReference | undefined {
  const { namespace = "", name = "", uid = "" } = textsIn(value);
  return uid === "" ? undefined : { namespace, name, uid };
}

function recordIn(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textsIn(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recordIn(value)).flatMap(([key, entry]) =>
      typeof entry === "string" ? [[key, entry]] : [],
    ),
  );
}
