import { configMapKind, secretKind, type KubernetesObject } from "../../../provider/kubernetes/object";
import {
  finalizer,
  objectBucketClaimKind,
  objectBucketKind,
} from "../../../provider/models/objectbucket/kinds";

/** A claim as Rook's operator has it, as far as the tests vary it. */
export interface RookClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly storageClassName: string;
  readonly bucketName: string;
  readonly host: string;
  readonly port: number;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly user: string;
}

/** A claim of `shop`, with what no store knows. */
export const rookClaim: RookClaim = {
  namespace: "shop",
  name: "photos",
  uid: "8f14e45f-ceea-467e-bd4d-2a3f3c1d9a01",
  storageClassName: "rook-ceph-bucket",
  bucketName: "photos-3b1c9a4e-6d0f-4a6e-9a53-1f0d3c1b7a55",
  host: "rook-ceph-rgw-my-store.rook-ceph.svc",
  port: 80,
  region: "",
  accessKeyId: "RKACCESSKEY0000001",
  secretAccessKey: "rookSecretAccessKey00000000000000000001",
  user: "obc-shop-photos-3b1c9a4e-6d0f-4a6e-9a53-1f0d3c1b7a55",
};

const labels = { "bucket-provisioner": "rook-ceph.ceph.rook.io-bucket" };

/** The claim's object, with marks of kubectl and of its user. */
export function obcOf({ namespace, name, uid, ...claim }: RookClaim): KubernetesObject {
  const { apiVersion, kind } = objectBucketClaimKind;
  return {
    apiVersion,
    kind,
    metadata: {
      namespace,
      name,
      ...(uid === "" ? {} : { uid }),
      labels: { ...labels, team: "web" },
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", "example.com/note": "ours" },
      finalizers: [finalizer],
    },
    spec: {
      additionalConfig: { maxObjects: "1000" },
      bucketName: claim.bucketName,
      generateBucketName: "photos",
      objectBucketName: obName({ namespace, name }),
      storageClassName: claim.storageClassName,
    },
    status: { phase: "Bound" },
  };
}

/** Its ObjectBucket. */
export function obOf(claim: RookClaim): KubernetesObject {
  const { namespace, name, uid, storageClassName } = claim;
  const { apiVersion, kind } = objectBucketKind;
  return {
    apiVersion,
    kind,
    metadata: { name: obName(claim), labels, finalizers: [finalizer] },
    spec: {
      additionalState: {
        cephUser: claim.user,
        objectStoreName: "my-store",
        objectStoreNamespace: "rook-ceph",
      },
      claimRef: { apiVersion, kind: objectBucketClaimKind.kind, namespace, name, uid },
      endpoint: {
        additionalConfig: {},
        bucketHost: claim.host,
        bucketName: claim.bucketName,
        bucketPort: claim.port,
        region: claim.region,
        subRegion: "",
      },
      reclaimPolicy: "Delete",
      storageClassName,
    },
    status: { phase: "Bound" },
  };
}

/** Its Secret. */
export function secretOf(claim: RookClaim): KubernetesObject {
  const data = { AWS_ACCESS_KEY_ID: claim.accessKeyId, AWS_SECRET_ACCESS_KEY: claim.secretAccessKey };
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return {
    apiVersion: secretKind.apiVersion,
    kind: secretKind.kind,
    type: "Opaque",
    metadata: ownedBy(claim),
    data: Object.fromEntries(encoded),
  };
}

/** Its ConfigMap. */
export function configMapOf(claim: RookClaim): KubernetesObject {
  return {
    apiVersion: configMapKind.apiVersion,
    kind: configMapKind.kind,
    metadata: ownedBy(claim),
    data: {
      BUCKET_HOST: claim.host,
      BUCKET_NAME: claim.bucketName,
      BUCKET_PORT: String(claim.port),
      BUCKET_REGION: claim.region,
      BUCKET_SUBREGION: "",
    },
  };
}

/** What `kubectl get -o json` writes of several objects. */
export function listOf(objects: readonly KubernetesObject[]): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    metadata: { resourceVersion: "" },
    items: objects,
  });
}

function obName({ namespace, name }: Pick<RookClaim, "namespace" | "name">): string {
  return `obc-${namespace}-${name}`;
}

function ownedBy({ namespace, name, uid }: RookClaim): KubernetesObject["metadata"] {
  const { apiVersion, kind } = objectBucketClaimKind;
  return {
    namespace,
    name,
    labels,
    finalizers: [finalizer],
    ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
  };
}
