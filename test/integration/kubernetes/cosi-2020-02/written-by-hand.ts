import { kindsOf } from "../../../../provider/models/cosi-2020-02/kinds";

/** The proposal's kinds in the group that it has for them. */
export const kinds = kindsOf("cosi.io");

export const provisioner = "s3.example.com";

/** A Bucket as a user writes it by hand: what is required, and no more. */
export const bucketSpec = { requestProtocol: "s3", bucketClassName: "gold" } as const;

export const contentSpec = { bucketClassName: "gold", protocol: "s3" } as const;

export const greenfield = { provisioner, supportedProtocols: ["s3"] } as const;
export const brownfield = { ...greenfield, bucketIdentifier: { bucketName: "archive" } } as const;
export const staticClass = {
  supportedProtocols: ["s3"],
  bucketIdentifier: { bucketName: "archive" },
  secretRef: { name: "keys", namespace: "vault" },
} as const;
