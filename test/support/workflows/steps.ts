import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import type { KubernetesKind, ObjectReference } from "../../../provider/kubernetes/object";
import { provider as bindingProvider } from "../../../provider/models/objectstorage-v1alpha1/claim-binding";
import {
  apiVersion,
  bucketAccessClassKind,
  bucketAccessKind,
  bucketClaimKind,
  bucketClassKind,
  finalizers,
  modelName,
} from "../../../provider/models/objectstorage-v1alpha1/kinds";
import { createOwned, owner } from "../../integration/kubernetes/objects";
import { Lifecycle, type Properties } from "../lifecycle";
import { driverReference } from "../settings";
import type { Workflow } from "./workflow";

export const lifecycles = {
  binding: new Lifecycle(bindingProvider),
  bucket: new Lifecycle(bucketProvider),
  access: new Lifecycle(accessProvider),
  secret: new Lifecycle(secretProvider),
} as const;

/** What the class gives to a bucket. */
export interface ClassOptions {
  readonly deletionPolicy?: "Delete" | "Retain";
  readonly parameters?: Record<string, string>;
}

/** A claim with its Bucket object, and the inputs of the resource that asks the driver for the bucket. */
export interface ClaimSteps {
  readonly claim: { namespace: string; name: string; uid: string };
  readonly bucket: { name: string; uid: string };
  /** Outputs of the ClaimBinding. */
  readonly binding: Properties;
  /** Inputs of the resource Bucket. */
  readonly inputs: Properties;
}

/** A BucketAccess, and the inputs of the resources that ask for the grant and write the Secret. */
export interface AccessSteps {
  readonly access: { namespace: string; name: string; uid: string };
  /** Inputs of the resource BucketAccess. */
  readonly inputs: Properties;
  /** Inputs of the resource Secret. */
  readonly secret: Properties;
}

/**
 * Does step by step what a program's components have Pulumi do, for tests that stop, fail or repeat a single step.
 * The objects that @pulumi/kubernetes writes are written here; all else is the package's own.
 */
export class Steps {
  constructor(private readonly workflow: Workflow) {}

  /** The classes of the namespace's own, as the components write them. */
  async classes({ deletionPolicy = "Delete", parameters = {} }: ClassOptions = {}): Promise<void> {
    const { client } = this.workflow.cluster;
    const driverName = this.workflow.driver.name;
    await client.create(bucketClassKind, {
      metadata: { name: this.#className("gold") },
      driverName,
      deletionPolicy,
      parameters,
    });
    await client.create(bucketAccessClassKind, {
      metadata: { name: this.#className("keys") },
      driverName,
      authenticationType: "Key",
    });
  }

  /** A claim, its binding and its Bucket object; the driver is not called. */
  async claim(
    name: string,
    { deletionPolicy = "Delete", parameters = {} }: ClassOptions = {},
  ): Promise<ClaimSteps> {
    const { cluster, namespace, driver } = this.workflow;
    const bucketClassName = this.#className("gold");
    const protocols = ["S3"];
    const claimObject = await createOwned(cluster, bucketClaimKind, {
      namespace,
      name,
      spec: { bucketClassName, protocols },
    });
    const claim = { namespace, name, uid: claimObject.metadata.uid };
    const { id, outputs: binding } = await lifecycles.binding.create({
      kubernetes: cluster.target,
      owner,
      resource: name,
      claim,
      bucketClass: { name: bucketClassName, driverName: driver.name, deletionPolicy, parameters },
      bucketFields: { deletionPolicy, protocols },
      bucketNameFormat: "v0.2.2",
    });
    const bucket = { name: id, uid: String(binding["bucketUid"]) };
    const inputs = {
      driver: driverReference(driver.fake.endpoint, { driverName: driver.name }),
      logicalName: name,
      name: id,
      bucketClassName,
      parameters,
      deletionPolicy,
      objects: { model: modelName, kubernetes: cluster.target, owner, claim, bucket },
    };
    return { claim, bucket, binding, inputs };
  }

  /**
   * A BucketAccess object for a claim whose bucket the driver has made; the driver is not called.
   *
   * @param bucket Outputs of the resource Bucket.
   */
  async access(
    name: string,
    { claim, bucket: bucketObject }: Pick<ClaimSteps, "claim" | "bucket">,
    bucket: Properties,
    parameters: Record<string, string> = {},
  ): Promise<AccessSteps> {
    const { cluster, namespace } = this.workflow;
    const secretName = `${name}-creds`;
    const bucketAccessClassName = this.#className("keys");
    const created = await createOwned(cluster, bucketAccessKind, {
      namespace,
      name,
      spec: { bucketClaimName: claim.name, bucketAccessClassName, credentialsSecretName: secretName },
    });
    const { uid } = created.metadata;
    const access = { namespace, name, uid };
    const inputs = {
      driver: bucket["driver"],
      logicalName: name,
      bucketName: bucket["name"],
      bucketId: bucket["bucketId"],
      bucketInfo: bucket["bucketInfo"],
      name: `ba-${uid}`,
      bucketAccessClassName,
      authenticationType: "Key",
      parameters,
      objects: {
        model: modelName,
        kubernetes: cluster.target,
        access,
        bucket: bucketObject,
        claim: { namespace, name: claim.name },
        secretName,
      },
    };
    const secret = {
      kubernetes: cluster.target,
      namespace,
      name: secretName,
      owner: { apiVersion, kind: bucketAccessKind.kind, name, uid },
      data: { BucketInfo: "{}" },
      finalizer: finalizers.secret,
      model: modelName,
    };
    return { access, inputs, secret };
  }

  /** Deletes an object as @pulumi/kubernetes does: it waits until nothing holds it. @throws Error if something does. */
  async deleteObject(kind: KubernetesKind, reference: ObjectReference): Promise<void> {
    const { client } = this.workflow.cluster;
    await client.delete(kind, reference);
    const left = await client.get(kind, reference);
    if (left === undefined) return;
    throw new Error(
      `${kind.kind} ${reference.name} is held by ${left.metadata.finalizers?.join(", ") ?? "nobody"}`,
    );
  }

  /** Classes belong to the cluster: the namespace keeps those of one test from those of another. */
  #className(name: string): string {
    return `${name}-${this.workflow.namespace}`;
  }
}
