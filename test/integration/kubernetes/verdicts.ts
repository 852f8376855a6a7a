import type { KubernetesKind } from "../../../provider/kubernetes/object";
import {
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  bucketKind,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";

/** An object, and what the definitions of COSI v0.2.2 say to it. */
export interface Verdict {
  readonly what: string;
  readonly kind: KubernetesKind;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What the server's message has to name; `undefined` for an object that it takes. */
  readonly rejects?: RegExp;
}

const bucket = { driverName: "d", bucketClassName: "c", bucketClaim: {}, protocols: ["S3"] };
const access = { bucketClaimName: "c", bucketAccessClassName: "a", credentialsSecretName: "s" };

/** Without one of its keys. */
function without(object: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function missing(kind: KubernetesKind, object: Readonly<Record<string, unknown>>, wrap: boolean): Verdict[] {
  return Object.keys(object).map((key) => ({
    what: `${kind.kind} without ${key}`,
    kind,
    fields: wrap ? { spec: without(object, key) } : without(object, key),
    rejects: new RegExp(`${key}: Required value`),
  }));
}

/** Read off the definitions of COSI v0.2.2: required keys and types, and no enum, pattern or rule. */
export const verdicts: readonly Verdict[] = [
  {
    what: "BucketClass in full",
    kind: bucketClassKind,
    fields: { driverName: "d", deletionPolicy: "Delete", parameters: { a: "b" } },
  },
  {
    what: "BucketClass without policy, which has a default",
    kind: bucketClassKind,
    fields: { driverName: "d" },
  },
  {
    what: "BucketClass with any policy",
    kind: bucketClassKind,
    fields: { driverName: "d", deletionPolicy: "delete" },
  },
  {
    what: "BucketClass without driver",
    kind: bucketClassKind,
    fields: { deletionPolicy: "Retain" },
    rejects: /driverName: Required value/,
  },
  {
    what: "BucketClass with a number as parameter",
    kind: bucketClassKind,
    fields: { driverName: "d", parameters: { a: 1 } },
    rejects: /parameters\.a/,
  },
  {
    what: "BucketAccessClass in full",
    kind: bucketAccessClassKind,
    fields: { driverName: "d", authenticationType: "Key", parameters: {} },
  },
  {
    what: "BucketAccessClass with any authentication",
    kind: bucketAccessClassKind,
    fields: { driverName: "d", authenticationType: "KEY" },
  },
  ...missing(bucketAccessClassKind, { driverName: "d", authenticationType: "Key" }, false),
  {
    what: "BucketClaim with class and existing Bucket",
    kind: bucketClaimKind,
    fields: { spec: { bucketClassName: "c", existingBucketName: "b", protocols: [] } },
  },
  { what: "BucketClaim with neither", kind: bucketClaimKind, fields: { spec: { protocols: ["NFS"] } } },
  { what: "BucketClaim without spec", kind: bucketClaimKind, fields: {} },
  {
    what: "BucketClaim without protocols",
    kind: bucketClaimKind,
    fields: { spec: { bucketClassName: "c" } },
    rejects: /protocols: Required value/,
  },
  {
    what: "BucketClaim with one protocol as text",
    kind: bucketClaimKind,
    fields: { spec: { protocols: "S3" } },
    rejects: /protocols/,
  },
  {
    what: "Bucket in full",
    kind: bucketKind,
    fields: {
      spec: {
        ...bucket,
        bucketClaim: {
          kind: "k",
          apiVersion: "v",
          namespace: "n",
          name: "c",
          uid: "u",
          resourceVersion: "1",
          fieldPath: "f",
        },
        deletionPolicy: "Keep",
        existingBucketID: "id:/%",
        parameters: { a: "b" },
      },
    },
  },
  { what: "Bucket with the required keys", kind: bucketKind, fields: { spec: bucket } },
  {
    what: "Bucket whose claim is a text",
    kind: bucketKind,
    fields: { spec: { ...bucket, bucketClaim: "photos" } },
    rejects: /bucketClaim/,
  },
  ...missing(bucketKind, bucket, true),
  {
    what: "BucketAccess in full",
    kind: bucketAccessKind,
    fields: { spec: { ...access, protocol: "Any", serviceAccountName: "s" } },
  },
  {
    what: "BucketAccess with a number as protocol",
    kind: bucketAccessKind,
    fields: { spec: { ...access, protocol: 1 } },
    rejects: /protocol/,
  },
  ...missing(bucketAccessKind, access, true),
];
