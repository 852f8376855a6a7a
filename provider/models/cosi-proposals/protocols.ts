import type { Protocol } from "../../contracts/contract";

/** A protocol as the objects of both proposals of 2020 write it; `azureblob` is read too. */
export type ApiProtocol = "s3" | "gcs" | "azureBlob";

export const apiProtocols: readonly ApiProtocol[] = ["azureBlob", "gcs", "s3"];

const protocols: Readonly<Record<ApiProtocol, Protocol>> = { azureBlob: "Azure", gcs: "GCS", s3: "S3" };

/** The protocol that a call names. */
export function protocolOf(protocol: ApiProtocol): Protocol {
  return protocols[protocol];
}

/** A protocol of the proposals, whatever its case; `undefined` for any other text. */
export function readProtocol(text: unknown): ApiProtocol | undefined {
  if (typeof text !== "string") return undefined;
  return apiProtocols.find((known) => known.toLowerCase() === text.toLowerCase());
}

/** The field that has the backend's name of a bucket. */
export function bucketNameField(protocol: ApiProtocol): "bucketName" | "containerName" {
  return protocol === "azureBlob" ? "containerName" : "bucketName";
}

/** What becomes of a bucket with its data when its object goes. */
export type ReleasePolicy = "Retain" | "Delete";
