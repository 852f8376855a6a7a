import type { AnonymousAccess, PolicyActions } from "../../contracts/contract";
import type { ApiProtocol, ReleasePolicy } from "../cosi-proposals/protocols";

/** The mode of callers without credentials by each of the names that the proposal has for it. */
const accessModes: ReadonlyMap<string, AnonymousAccess> = new Map([
  ["private", "private"],
  ["ro", "ro"],
  ["wo", "wo"],
  ["rw", "rw"],
  ["publicRead", "ro"],
  ["publicReadWrite", "rw"],
]);

export const accessModeNames: readonly string[] = [...accessModes.keys()];

/** What callers without credentials may do, by its name; `undefined` for any other text. */
export function readAccessMode(text: unknown): AnonymousAccess | undefined {
  return typeof text === "string" ? accessModes.get(text) : undefined;
}

/** A namespace from which requests may bind to a Bucket. */
export interface PermittedNamespace {
  readonly name: string;
  /** @default read from the live Namespace when the object is written */
  readonly uid?: string | null;
}

/** Data by which clients reach a bucket: the member of `spec.protocol` that its signature names. */
export type ProtocolFields = Readonly<Record<string, string>>;

/** Fields of each member of `spec.protocol`. Source: COSI proposal of 2020-07-08, Bucket, `protocol`. */
export const protocolFields: Readonly<Record<ApiProtocol, readonly string[]>> = {
  azureBlob: ["containerName", "storageAccount"],
  s3: ["endpoint", "bucketName", "region", "signatureVersion"],
  gcs: ["bucketName", "privateKeyName", "projectId", "serviceAccount"],
};

/** What a BucketRequest takes from its BucketClass when its Bucket is made. Plain JSON, kept in the state. */
export interface BucketClassCopy {
  readonly name: string;
  readonly provisioner: string;
  readonly protocol: ApiProtocol;
  readonly releasePolicy: ReleasePolicy;
  readonly anonymousAccessMode: AnonymousAccess;
  readonly additionalPermittedNamespaces: readonly PermittedNamespace[];
  readonly parameters: Record<string, string>;
  /** The program marked a parameter as secret. */
  readonly secretParameters?: boolean | null;
}

/** What a BucketAccessRequest takes from its BucketAccessClass. Plain JSON, kept in the state. */
export interface AccessClassCopy {
  readonly name: string;
  readonly provisioner: string;
  readonly protocol: ApiProtocol;
  readonly policyActions: PolicyActions | null;
  readonly parameters: Record<string, string>;
  readonly secretParameters?: boolean | null;
}

/** Phases of a BucketRequest. Source: COSI proposal of 2020-07-08, BucketRequest, `phase`; the last four are decided. */
export type RequestPhase =
  | "Creating"
  | "Bound"
  | "Deleting"
  | "Deleted"
  | "ErrBucketClassDoesNotSupportProtocol"
  | "ErrBucketDeletionInProgress"
  | "ErrBucketNotFound"
  | "ErrBucketClassNotFound"
  | "ErrBucketDoesNotSupportProtocol"
  | "ErrNamespaceNotPermitted";

/** Phases of a Bucket. Source: COSI proposal of 2020-07-08, Bucket, `phase`. */
export type BucketPhase = "Creating" | "Bound" | "Deleting" | "Deleted" | "Released";

/** Phases of a BucketAccessRequest; `Failed` is decided. */
export type AccessRequestPhase = "Pending" | "Bound" | "Deleting" | "Failed";

/** Phases of a BucketAccess. Source: COSI proposal of 2020-07-08, BucketAccess, `phase`. */
export type AccessPhase = "Bound" | "Released" | "Failed" | "Retrying";

/** A phase of any kind. */
export type Phase = RequestPhase | BucketPhase | AccessRequestPhase | AccessPhase;
