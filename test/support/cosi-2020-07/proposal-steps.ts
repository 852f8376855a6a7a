import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import { provider as accessRequestProvider } from "../../../provider/models/cosi-2020-07/access-request-binding";
import { provider as bindingProvider } from "../../../provider/models/cosi-2020-07/bucket-binding";
import { accessNameOf, bucketNameOf } from "../../../provider/models/cosi-2020-07/names";
import { provider as requestProvider } from "../../../provider/models/cosi-2020-07/request-binding";
import type { AccessClassCopy, BucketClassCopy } from "../../../provider/models/cosi-2020-07/specs";
import { protocolOf } from "../../../provider/models/cosi-proposals/protocols";
import { stackId } from "../../integration/kubernetes/cluster";
import { july, kinds } from "../../integration/kubernetes/cosi-2020-07/july";
import { createOwned, owner } from "../../integration/kubernetes/objects";
import { controllerReference } from "../cosi-2020-07";
import { Lifecycle, type Properties } from "../lifecycle";
import { beginRun } from "../run";
import type { ProposalWorkflow } from "./proposal-workflow";

/** The package's own resources, as Pulumi's host calls them. */
export const lifecycles = {
  request: new Lifecycle(requestProvider),
  bucket: new Lifecycle(bucketProvider),
  accessRequest: new Lifecycle(accessRequestProvider),
  access: new Lifecycle(accessProvider),
  secret: new Lifecycle(secretProvider),
  binding: new Lifecycle(bindingProvider),
} as const;

/** A resource that is in the state. */
export interface Kept {
  readonly inputs: Properties;
  outputs: Properties;
  readonly id: string;
}

/** A BucketRequest, and what was made for it. */
export interface RequestSteps {
  readonly request: { namespace: string; name: string; uid: string };
  /** Name of the Bucket object. */
  readonly bucketName: string;
  readonly binding: Kept;
  /** The bucket at the driver; `undefined` for a request that names a Bucket. */
  bucket?: Kept;
}

/** A BucketAccessRequest, and what was made for it. */
export interface AccessSteps {
  readonly request: { namespace: string; name: string; uid: string };
  readonly binding: Kept;
  readonly access: Kept;
  readonly secrets: readonly Kept[];
  readonly bound: Kept;
}

/** What a request asks for beside its name. */
export interface RequestOptions {
  readonly bucketClass?: Partial<BucketClassCopy>;
  readonly bucketPrefix?: string;
  readonly bucketInstanceName?: string;
  readonly secretName?: string;
  /** Other inputs of the RequestBinding: `bucketClass: null` for one that is looked up. */
  readonly inputs?: Properties;
}

/** What a request for access asks for beside its name. */
export interface AccessOptions {
  readonly accessClass?: Partial<AccessClassCopy>;
  readonly accessSecretName?: string;
  readonly serviceAccountName?: string;
  readonly inputs?: Properties;
}

/**
 * Does step by step what a program's components have Pulumi do, for tests that stop, fail or repeat a single step, or let
 * two stacks act at once. The objects that @pulumi/kubernetes writes are written here; all else is the package's own.
 */
export class ProposalSteps {
  readonly #owner: string;
  readonly #target: Properties;

  /** @param stack Tells the stacks of one test apart. */
  constructor(
    private readonly workflow: ProposalWorkflow,
    readonly namespace = workflow.namespace,
    stack = "test",
  ) {
    this.#owner = stack === "test" ? owner : `organization/shop/${stack}`;
    this.#target = { ...workflow.cluster.target, stackId: stack === "test" ? stackId : `id-of-${stack}` };
  }

  /** A class as the request keeps it. */
  bucketClass(changes: Partial<BucketClassCopy> = {}): BucketClassCopy {
    return {
      name: `gold-${this.namespace}`,
      provisioner: this.workflow.provisioner,
      protocol: "s3",
      releasePolicy: "Delete",
      anonymousAccessMode: "private",
      additionalPermittedNamespaces: [],
      parameters: { tier: "gold" },
      ...changes,
    };
  }

  accessClass(changes: Partial<AccessClassCopy> = {}): AccessClassCopy {
    return {
      name: `keys-${this.namespace}`,
      provisioner: this.workflow.provisioner,
      protocol: "s3",
      policyActions: null,
      parameters: { role: "writer" },
      ...changes,
    };
  }

  /** A BucketRequest object, and the inputs of what follows it; nothing else is done. */
  async request(
    name: string,
    options: RequestOptions = {},
  ): Promise<{ request: RequestSteps["request"]; inputs: Properties }> {
    const { namespace } = this;
    const { bucketPrefix, bucketInstanceName, secretName } = options;
    const object = await this.#create(kinds.bucketRequest, name, {
      protocol: "s3",
      ...(bucketPrefix === undefined ? {} : { bucketPrefix }),
      ...(bucketInstanceName === undefined ? {} : { bucketInstanceName }),
      ...(secretName === undefined ? {} : { secretName }),
    });
    const request = { namespace, name, uid: object.metadata.uid };
    const inputs = {
      ...this.#common(name),
      request,
      protocol: options.bucketClass?.protocol ?? "s3",
      bucketPrefix,
      bucketInstanceName,
      ...(bucketInstanceName === undefined ? { bucketClass: this.bucketClass(options.bucketClass) } : {}),
      provisioner: this.workflow.provisioner,
      ...options.inputs,
    };
    return { request, inputs };
  }

  /** A BucketRequest with its Bucket object; the driver is not called. */
  async bindRequest(name: string, options: RequestOptions = {}): Promise<RequestSteps> {
    const { request, inputs } = await this.request(name, options);
    const binding = await keep(lifecycles.request, inputs);
    const bucketName = options.bucketInstanceName ?? bucketNameOf(request);
    return { request, bucketName, binding };
  }

  /** Inputs of the resource Bucket of a request. */
  bucketInputs({ request, binding, bucketName }: RequestSteps, options: RequestOptions = {}): Properties {
    const copy = binding.outputs["bucketClass"] as BucketClassCopy;
    return {
      driver: controllerReference(this.workflow.driver.fake.endpoint, { driverName: copy.provisioner }),
      logicalName: request.name,
      name: `${options.bucketPrefix ?? ""}${request.uid}`,
      protocol: protocolOf(copy.protocol),
      anonymousAccess: copy.anonymousAccessMode,
      bucketClassName: copy.name,
      parameters: copy.parameters,
      deletionPolicy: copy.releasePolicy,
      objects: {
        model: july,
        kubernetes: this.#target,
        owner: this.#owner,
        claim: request,
        bucket: { name: bucketName, uid: "" },
        secretName: options.secretName ?? null,
      },
    };
  }

  /** A request with its bucket at the driver. */
  async make(name: string, options: RequestOptions = {}): Promise<RequestSteps> {
    const steps = await this.bindRequest(name, options);
    if (options.bucketInstanceName !== undefined) return steps;
    return { ...steps, bucket: await keep(lifecycles.bucket, this.bucketInputs(steps, options)) };
  }

  /** A BucketAccessRequest object, with its BucketAccess; the driver is not called. */
  async bindAccess(
    name: string,
    { request: bucketRequest, bucketName, bucket }: RequestSteps,
    options: AccessOptions = {},
  ): Promise<Pick<AccessSteps, "request" | "binding">> {
    const { namespace } = this;
    const { serviceAccountName } = options;
    const accessSecretName =
      serviceAccountName === undefined ? (options.accessSecretName ?? `${name}-creds`) : undefined;
    const object = await this.#create(kinds.bucketAccessRequest, name, {
      bucketInstance: bucketName,
      bucketAccessClassName: `keys-${namespace}`,
      ...(serviceAccountName === undefined ? { accessSecretName } : { serviceAccountName }),
    });
    const request = { namespace, name, uid: object.metadata.uid };
    const binding = await keep(lifecycles.accessRequest, {
      ...this.#common(name),
      request,
      bucketRequest: { namespace: bucketRequest.namespace, name: bucketRequest.name },
      bucketInstance: bucketName,
      bucketResource: bucket?.outputs["name"] ?? bucketName,
      accessClass: this.accessClass(options.accessClass),
      provisioner: this.workflow.provisioner,
      ...(serviceAccountName === undefined ? { accessSecretName } : { serviceAccountName }),
      ...options.inputs,
    });
    return { request, binding };
  }

  /** Inputs of the resource BucketAccess of a request. */
  accessInputs({ request, binding }: Pick<AccessSteps, "request" | "binding">): Properties {
    const { accessClass, bucketRequest, bucketInstance, bucketResource, bucketId, bucketInfo, ...rest } =
      binding.outputs;
    const copy = accessClass as AccessClassCopy;
    const serviceAccountName = rest["serviceAccountName"] as string | null;
    return {
      driver: controllerReference(this.workflow.driver.fake.endpoint, { driverName: copy.provisioner }),
      logicalName: request.name,
      bucketName: bucketResource,
      bucketId,
      bucketInfo,
      name: accessNameOf(request),
      authenticationType: serviceAccountName === null ? "Key" : "IAM",
      bucketAccessClassName: copy.name,
      parameters: copy.parameters,
      policyActions: copy.policyActions,
      serviceAccount:
        serviceAccountName === null ? null : { namespace: request.namespace, name: serviceAccountName },
      objects: {
        model: july,
        kubernetes: this.#target,
        owner: this.#owner,
        access: request,
        bucket: { name: bucketInstance, uid: "" },
        claim: bucketRequest,
        secretName: rest["accessSecretName"] ?? "",
        serviceAccountName,
        account: { name: accessNameOf(request), uid: binding.id },
      },
    };
  }

  /** The Secrets of a granted access, and its binding. */
  async deliver(steps: Pick<AccessSteps, "request" | "binding" | "access">): Promise<AccessSteps> {
    const { request, binding, access } = steps;
    const name = accessNameOf(request);
    const account = { name, uid: binding.id };
    const data = { accessKeyID: String(access.outputs["accessKeyId"]) };
    const { accessSecretName, bucketInstance, bucketRequest } = binding.outputs;
    const secrets: Kept[] = [];
    if (typeof accessSecretName === "string") {
      const [namespace = ""] = this.workflow.provisioner.split("/");
      const common = { kubernetes: this.#target, data, model: july };
      const { apiVersion } = kinds;
      const source = { apiVersion, kind: kinds.bucketAccess.kind, ...account };
      const copy = { apiVersion, kind: kinds.bucketAccessRequest.kind, name: request.name, uid: request.uid };
      secrets.push(await keep(lifecycles.secret, { ...common, namespace, name, owner: source }));
      const own = { namespace: request.namespace, name: accessSecretName, owner: copy, moves: true };
      secrets.push(await keep(lifecycles.secret, { ...common, ...own }));
    }
    const bound = await keep(lifecycles.binding, {
      kubernetes: this.#target,
      owner: this.#owner,
      model: july,
      bucket: bucketInstance,
      access: account,
      accessRequest: request,
      bucketRequest,
      provisioner: this.workflow.provisioner,
    });
    return { ...steps, secrets, bound };
  }

  /** An access with everything. */
  async grant(name: string, to: RequestSteps, options: AccessOptions = {}): Promise<AccessSteps> {
    const steps = await this.bindAccess(name, to, options);
    return this.deliver({ ...steps, access: await keep(lifecycles.access, this.accessInputs(steps)) });
  }

  /** Binding and Secrets of an access go, as the first of a destroy. */
  async withdraw({ bound, secrets }: AccessSteps): Promise<void> {
    beginRun();
    await lifecycles.binding.delete(bound.outputs);
    for (const secret of secrets) await lifecycles.secret.delete(secret.outputs);
  }

  /** An access goes, with its objects. */
  async destroyAccess(steps: AccessSteps): Promise<void> {
    await this.withdraw(steps);
    await lifecycles.access.delete(steps.access.outputs);
    await lifecycles.accessRequest.delete(steps.binding.outputs);
    await this.#delete(kinds.bucketAccessRequest, steps.request.name);
  }

  /** A request goes, with its bucket as the objects say. */
  async destroyRequest({ binding, bucket, request }: RequestSteps): Promise<void> {
    beginRun();
    if (bucket !== undefined) await lifecycles.bucket.delete(bucket.outputs);
    await lifecycles.request.delete(binding.outputs);
    await this.#delete(kinds.bucketRequest, request.name);
  }

  #common(name: string): Properties {
    return { kubernetes: this.#target, owner: this.#owner, resource: name, model: july };
  }

  #create(kind: (typeof kinds)["bucketRequest"], name: string, spec: object): ReturnType<typeof createOwned> {
    const annotations = {
      [ownerAnnotation]: this.#owner,
      [stackIdAnnotation]: String(this.#target["stackId"]),
    };
    return createOwned(this.workflow.cluster, kind, { namespace: this.namespace, name, spec, annotations });
  }

  /** Deletes an object as @pulumi/kubernetes does: it waits until nothing holds it. @throws Error if something does. */
  async #delete(kind: (typeof kinds)["bucketRequest"], name: string): Promise<void> {
    const { client } = this.workflow.cluster;
    const reference = { namespace: this.namespace, name };
    await client.delete(kind, reference);
    const left = await client.get(kind, reference);
    if (left === undefined) return;
    throw new Error(`${kind.kind} ${name} is held by ${left.metadata.finalizers?.join(", ") ?? "nobody"}`);
  }
}

/** Creates a resource as `up` does. */
export async function keep(lifecycle: Lifecycle, inputs: Properties): Promise<Kept> {
  const { id, outputs } = await lifecycle.create(inputs);
  return { id, inputs, outputs };
}

/** `spec` of an object as the server has it. */
export function specOf(object: KubernetesObject | undefined): Properties {
  return (object?.["spec"] ?? {}) as Properties;
}
