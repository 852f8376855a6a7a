import type { AccessMode } from "../../contracts/contract";
import type { ApiProtocol, ReleasePolicy } from "../cosi-proposals/protocols";

/** How a bucket comes to a Bucket. Source: COSI proposal of 2020-02-27, Determining Case from BucketClass. */
export type BucketCase = "greenfield" | "brownfield" | "static";

/** A Secret by its name. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** What a Bucket takes from its BucketClass when it is made. Plain JSON, kept in the state. */
export interface BucketClassCopy {
  readonly name: string;
  /** `null` for a static class without one. */
  readonly provisioner: string | null;
  readonly supportedProtocols: readonly string[];
  readonly accessMode: AccessMode;
  readonly releasePolicy: ReleasePolicy;
  /** `null` for none, and for an empty map. */
  readonly bucketIdentifier: Record<string, string> | null;
  readonly secretRef: SecretReference | null;
  readonly parameters: Record<string, string>;
  /** The program marked a parameter as secret. */
  readonly secretParameters?: boolean | null;
}

/** Phases of a Bucket. Source: COSI proposal of 2020-02-27, Bucket, `phase`. */
export type BucketPhase = "Pending" | "Bound";

/** Phases of a BucketContent; `Ready` is that of the workflows. Source: COSI proposal of 2020-02-27, BucketContent, `phase`. */
export type ContentPhase = "Ready" | "Bound" | "Released" | "Failed" | "Retrying";

/** Fields of each block of a BucketContent. Source: COSI proposal of 2020-02-27, BucketContent. */
export const protocolFields: Readonly<Record<ApiProtocol, readonly string[]>> = {
  azureBlob: ["storageAccountName", "accountKey", "containerName"],
  s3: ["endpoint", "accessKeyId", "bucketName", "region", "signatureVersion", "userName"],
  gcs: ["bucketName", "privateKeyName", "projectId", "serviceAccount"],
};

/** The block of a BucketContent that has the data of a protocol. */
export const protocolBlocks: Readonly<Record<ApiProtocol, string>> = {
  azureBlob: "protocolAzureBlob",
  s3: "protocolS3",
  gcs: "protocolGcs",
};

/** Keys of a class's `bucketIdentifier` that name fields of the wire; others are the driver's own (K02-056). */
export const identifierFields: Readonly<Record<ApiProtocol, readonly string[]>> = {
  azureBlob: ["containerName", "storageAccountName"],
  s3: ["bucketName", "region", "endpoint", "accessKeyId", "userName", "signatureVersion"],
  gcs: ["bucketName", "projectId", "serviceAccount"],
};

/** The case that the two fields decide; `undefined` for the one that the proposal leaves undefined. */
export function caseOf(hasIdentifier: boolean, hasSecretRef: boolean): BucketCase | undefined {
  if (hasIdentifier) return hasSecretRef ? "static" : "brownfield";
  return hasSecretRef ? undefined : "greenfield";
}

/** The case of a class. */
export function caseOfClass({ bucketIdentifier, secretRef }: BucketClassCopy): BucketCase | undefined {
  return caseOf(bucketIdentifier !== null, secretRef !== null);
}

/** What a driver gets of a class: its parameters, and what of its identifier no field of the wire has (K02-056). */
export function driverParameters(
  { bucketIdentifier, parameters }: Pick<BucketClassCopy, "bucketIdentifier" | "parameters">,
  protocol: ApiProtocol,
): Record<string, string> {
  const own = Object.entries(bucketIdentifier ?? {}).filter(
    ([key]) => !identifierFields[protocol].includes(key),
  );
  return { ...parameters, ...Object.fromEntries(own) };
}
