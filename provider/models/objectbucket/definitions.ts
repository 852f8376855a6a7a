import type { CustomResourceDefinition } from "../../kubernetes/definition";
import { given } from "../cosi-proposals/common-fields";
import { column, definition } from "../cosi-proposals/definition-layout";
import { object, oneOf, text, textMap, type Schema } from "../cosi-proposals/schema";
import { group, objectBucketClaimKind, objectBucketKind } from "./kinds";

/** The operators write `null` for a map that is empty. */
const nullableMap = (description: string): Schema => ({ ...textMap(description), nullable: true });

/** Any text will do: the two dialects differ in upper and lower case. */
const status = object({ phase: text("Phase of the object: Pending, Bound, Released or Failed.") });

const storageClassName = "Name of the StorageClass, which says where buckets come from.";

const endpointFields: Readonly<Record<string, Schema>> = {
  bucketHost: text("Host of the object store, without scheme and port."),
  bucketPort: { type: "integer", description: "Port of the object store." },
  bucketName: text("Name of the bucket in the backend."),
  region: text("Region of the bucket."),
  subRegion: text("Part of the region."),
  additionalConfig: nullableMap("Further data of the provisioner."),
};

const additionalState = nullableMap("What the provisioner has to know when the bucket goes.");

/** ObjectReference of the core API. */
const claimRef: Schema = {
  ...object({
    apiVersion: { type: "string" },
    fieldPath: { type: "string" },
    kind: { type: "string" },
    name: { type: "string" },
    namespace: { type: "string" },
    resourceVersion: { type: "string" },
    uid: { type: "string" },
  }),
  description: "The ObjectBucketClaim that the bucket is for.",
  "x-kubernetes-map-type": "atomic",
};

/**
 * The two kinds of objectbucket.io/v1alpha1, with the fields of both dialects. Source: Rook, object bucket provisioning
 * design; fields, columns and short names as lib-bucket-provisioner has them.
 */
export const definitions: readonly CustomResourceDefinition[] = [
  definition(group, {
    kind: objectBucketClaimKind,
    // The design's definition says Cluster; its text, and every operator, give a claim a namespace.
    scope: "Namespaced",
    shortNames: ["obc", "obcs"],
    fields: {
      spec: object(
        {
          storageClassName: text(storageClassName, given),
          bucketName: text("Name of the bucket in the backend: the one that is wanted, then the real one."),
          generateBucketName: text("What the name of a new bucket begins with."),
          additionalConfig: nullableMap("Further data for the provisioner."),
          objectBucketName: text("Name of the ObjectBucket; written when it exists."),
        },
        ["storageClassName"],
      ),
      status,
    },
    required: ["spec"],
    columns: [column("Storage-Class", ".spec.storageClassName"), column("Phase", ".status.phase")],
  }),
  definition(group, {
    kind: objectBucketKind,
    scope: "Cluster",
    shortNames: ["ob", "obs"],
    fields: {
      spec: object({
        storageClassName: text(storageClassName),
        reclaimPolicy: oneOf("What becomes of the bucket when its claim goes.", ["Delete", "Retain"]),
        endpoint: object(endpointFields),
        additionalState,
        connection: object({
          endpoint: object({
            ...endpointFields,
            ssl: { type: "boolean", description: "The object store is reached by TLS." },
          }),
          additionalState,
        }),
        claimRef,
      }),
      status,
    },
    required: ["spec"],
    columns: [
      column("Storage-Class", ".spec.storageClassName"),
      column("Claim-Namespace", ".spec.claimRef.namespace"),
      column("Claim-Name", ".spec.claimRef.name"),
      column("Reclaim-Policy", ".spec.reclaimPolicy"),
      column("Phase", ".status.phase"),
    ],
  }),
];
