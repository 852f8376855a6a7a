import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import type { KubernetesKind, KubernetesObject, ObjectMetadata } from "../../../provider/kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import {
  bucketAccessKind,
  bucketClaimKind,
  bucketKind,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import type { Properties } from "../../support/lifecycle";
import { stackId, type Cluster } from "./cluster";

/** The stack that the tests write as. */
export const owner = "organization/shop/test";

/** Annotations of what that stack writes. */
export const marks = { [ownerAnnotation]: owner, [stackIdAnnotation]: stackId };

/** What an object is created from. */
interface ObjectInput {
  name: string;
  namespace?: string;
  spec: object;
  annotations?: Record<string, string>;
}

/** Installs the five kinds, once per cluster. */
export async function installDefinitions({ target }: Cluster): Promise<void> {
  await definitions.create({ kubernetes: target, model: modelName, owner });
}

/** Creates an object that belongs to the stack of the tests, and gives it as the server has it. */
export async function createOwned(
  { client }: Cluster,
  kind: KubernetesKind,
  { name, namespace, spec, annotations = marks }: ObjectInput,
): Promise<KubernetesObject & { metadata: ObjectMetadata & { uid: string } }> {
  const metadata = { name, annotations, ...(namespace === undefined ? {} : { namespace }) };
  const created = await client.create(kind, { metadata, spec });
  const { uid } = created.metadata;
  if (uid === undefined) throw new Error(`${kind.kind} ${name} has no UID`);
  return { ...created, metadata: { ...created.metadata, uid } };
}

/** A claim with its Bucket object, as the components write them, and nothing of their status. */
export async function claimedBucket(cluster: Cluster, namespace: string, name = "photos") {
  const claim = await createOwned(cluster, bucketClaimKind, {
    namespace,
    name,
    spec: { bucketClassName: "gold", protocols: ["S3"] },
  });
  const { uid } = claim.metadata;
  const bucket = await createOwned(cluster, bucketKind, {
    name: `bucket-${uid}`,
    spec: {
      driverName: "cosi.example.com",
      bucketClassName: "gold",
      deletionPolicy: "Delete",
      protocols: ["S3"],
      bucketClaim: { namespace, name, uid },
    },
  });
  return {
    model: modelName,
    kubernetes: cluster.target,
    owner,
    claim: { namespace, name, uid },
    bucket: { name: bucket.metadata.name, uid: bucket.metadata.uid },
  };
}

/** An access to a claim, as the components write it. */
export async function accessTo(
  cluster: Cluster,
  objects: Awaited<ReturnType<typeof claimedBucket>>,
  name: string,
  annotations?: Record<string, string>,
) {
  const { namespace } = objects.claim;
  const created = await createOwned(cluster, bucketAccessKind, {
    namespace,
    name,
    spec: {
      bucketClaimName: objects.claim.name,
      bucketAccessClassName: "keys",
      credentialsSecretName: `${name}-creds`,
    },
    ...(annotations === undefined ? {} : { annotations }),
  });
  return {
    model: modelName,
    kubernetes: cluster.target,
    access: { namespace, name, uid: created.metadata.uid },
    bucket: objects.bucket,
    claim: { namespace, name: objects.claim.name },
    secretName: `${name}-creds`,
  };
}

/** Inputs of the access to a bucket that was made, as the components give them. */
export function accessInputs<Objects extends { access: { uid: string } }>(
  driver: unknown,
  made: Properties,
  logicalName: string,
  objects: Objects,
): Properties & { objects: Objects } {
  return {
    driver,
    logicalName,
    bucketName: made["name"],
    bucketId: made["bucketId"],
    name: `ba-${objects.access.uid}`,
    objects,
  };
}

/** The finalizers of an object; `undefined` if it is gone. */
export async function finalizersOf(
  { client }: Cluster,
  kind: KubernetesKind,
  reference: { namespace?: string; name: string },
): Promise<string[] | undefined> {
  const found = await client.get(kind, reference);
  return found === undefined ? undefined : (found.metadata.finalizers ?? []);
}

/** `status` of an object. */
export async function statusOf(
  { client }: Cluster,
  kind: KubernetesKind,
  reference: { namespace?: string; name: string },
): Promise<unknown> {
  return (await client.get(kind, reference))?.["status"];
}
