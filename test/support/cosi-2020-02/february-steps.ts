import { provider as bucketProvider } from "../../../provider/bucket/provider";
import type { KubernetesObject } from "../../../provider/kubernetes/object";
import { ownerAnnotation, stackIdAnnotation } from "../../../provider/kubernetes/ownership";
import { provider as bindingProvider } from "../../../provider/models/cosi-2020-02/bucket-binding";
import { provider as contentProvider } from "../../../provider/models/cosi-2020-02/content-binding";
import { backendNameOf, contentNameOf, type BucketName } from "../../../provider/models/cosi-2020-02/names";
import { provider as sourceProvider } from "../../../provider/models/cosi-2020-02/source-secret";
import {
  caseOfClass,
  driverParameters,
  type BucketClassCopy,
} from "../../../provider/models/cosi-2020-02/specs";
import {
  bucketNameField,
  protocolOf,
  type ApiProtocol,
} from "../../../provider/models/cosi-proposals/protocols";
import { stackId } from "../../integration/kubernetes/cluster";
import { february, kinds } from "../../integration/kubernetes/cosi-2020-02/february";
import { createOwned, owner } from "../../integration/kubernetes/objects";
import { handlerReference, provisioner } from "../cosi-2020-02";
import { Lifecycle, type Properties } from "../lifecycle";
import { beginRun } from "../run";
import type { FebruaryWorkflow } from "./february-workflow";

/** The package's own resources, as Pulumi's host calls them. */
export const lifecycles = {
  content: new Lifecycle(contentProvider),
  bucket: new Lifecycle(bucketProvider),
  source: new Lifecycle(sourceProvider),
  binding: new Lifecycle(bindingProvider),
} as const;

/** A resource that is in the state. */
export interface Kept {
  readonly inputs: Properties;
  outputs: Properties;
  readonly id: string;
}

/** A Bucket, and what was made for it so far. */
export interface BucketSteps {
  readonly bucket: BucketName;
  readonly content: Kept;
  /** The bucket at the driver; `undefined` for a static one. */
  made?: Kept;
  source?: Kept;
  bound?: Kept;
}

/** What a Bucket asks for beside its name. */
export interface BucketOptions {
  readonly bucketClass?: Partial<BucketClassCopy>;
  readonly requestProtocol?: ApiProtocol;
  readonly bucketPrefix?: string;
  /** @default `<name>-creds` */
  readonly secretName?: string;
  /** Other inputs of the ContentBinding: `bucketClass: null` for one that is looked up. */
  readonly inputs?: Properties;
}

/**
 * Does step by step what a program's Bucket component has Pulumi do, for tests that stop, fail or repeat a single step. The
 * Bucket object, which @pulumi/kubernetes writes, is written here; all else is the package's own.
 */
export class FebruarySteps {
  readonly #target: Properties;

  constructor(
    private readonly workflow: FebruaryWorkflow,
    readonly namespace = workflow.namespace,
  ) {
    this.#target = { ...workflow.cluster.target, stackId };
  }

  /** A greenfield class as the Bucket keeps it. */
  bucketClass(changes: Partial<BucketClassCopy> = {}): BucketClassCopy {
    return {
      name: `gold-${this.namespace}`,
      provisioner,
      supportedProtocols: ["s3"],
      accessMode: "rw",
      releasePolicy: "Delete",
      bucketIdentifier: null,
      secretRef: null,
      parameters: { tier: "gold" },
      ...changes,
    };
  }

  /** A Bucket object, and the inputs of what follows it; nothing else is done. */
  async bucket(
    name: string,
    options: BucketOptions = {},
  ): Promise<{ bucket: BucketName; inputs: Properties }> {
    const { namespace } = this;
    const { bucketPrefix, requestProtocol = "s3", secretName = `${name}-creds` } = options;
    const bucketClass = this.bucketClass(options.bucketClass);
    const object = await createOwned(this.workflow.cluster, kinds.bucket, {
      namespace,
      name,
      spec: {
        requestProtocol,
        bucketClassName: bucketClass.name,
        secretName,
        ...(bucketPrefix === undefined ? {} : { bucketPrefix }),
      },
      annotations: { [ownerAnnotation]: owner, [stackIdAnnotation]: stackId },
    });
    const bucket = { namespace, name, uid: object.metadata.uid };
    const isManaged = caseOfClass(bucketClass) !== "static";
    const inputs = {
      kubernetes: this.#target,
      owner,
      resource: name,
      model: february,
      bucket,
      requestProtocol,
      bucketPrefix,
      bucketClass,
      isManaged,
      ...(isManaged ? { provisioner } : {}),
      secretName,
      secretTimeoutSeconds: 1,
      sourceNamespace: this.workflow.sourceNamespace,
      ...options.inputs,
    };
    return { bucket, inputs };
  }

  /** A Bucket with its BucketContent; the driver is not called. */
  async bindContent(name: string, options: BucketOptions = {}): Promise<BucketSteps> {
    const { bucket, inputs } = await this.bucket(name, options);
    return { bucket, content: await keep(lifecycles.content, inputs) };
  }

  /** Inputs of the resource Bucket. */
  bucketInputs({ bucket, content }: BucketSteps): Properties {
    const copy = content.outputs["bucketClass"] as BucketClassCopy;
    const protocol = content.outputs["requestProtocol"] as ApiProtocol;
    const { bucketIdentifier } = copy;
    const existing = bucketIdentifier?.[bucketNameField(protocol)];
    return {
      // Dozens at once, on a machine that is busy, are not answered within the short deadline of other tests.
      driver: handlerReference(this.workflow.driver.fake.endpoint, {
        callTimeoutSeconds: 30,
        retryBudgetSeconds: 60,
      }),
      logicalName: bucket.name,
      name: backendNameOf(content.outputs["bucketPrefix"] as string | null, bucket),
      ...(bucketIdentifier === null ? {} : { existingBucketId: existing, bucketIdentifier }),
      protocol: protocolOf(protocol),
      accessMode: copy.accessMode,
      bucketClassName: copy.name,
      parameters: driverParameters(copy, protocol),
      deletionPolicy: copy.releasePolicy,
      objects: {
        model: february,
        kubernetes: this.#target,
        owner,
        claim: bucket,
        bucket: { name: this.contentName({ bucket, content }), uid: "" },
        secretName: null,
      },
    };
  }

  /** A Bucket with its bucket at the driver. */
  async make(name: string, options: BucketOptions = {}): Promise<BucketSteps> {
    const steps = await this.bindContent(name, options);
    return { ...steps, made: await keep(lifecycles.bucket, this.bucketInputs(steps)) };
  }

  /** Inputs of the source Secret. */
  sourceInputs(steps: BucketSteps): Properties {
    return {
      kubernetes: this.#target,
      owner,
      model: february,
      content: this.contentName(steps),
      bucket: steps.bucket,
      namespace: this.workflow.sourceNamespace,
      data: steps.made?.outputs["credentials"],
      provisioner,
    };
  }

  /** Inputs of the last step. */
  bindingInputs(steps: BucketSteps): Properties {
    const { secretRef } = steps.content.outputs["bucketClass"] as BucketClassCopy;
    const name = this.contentName(steps);
    return {
      kubernetes: this.#target,
      owner,
      model: february,
      content: name,
      bucket: steps.bucket,
      secretName: steps.content.outputs["secretName"],
      secretTimeoutSeconds: 1,
      source: secretRef ?? { namespace: this.workflow.sourceNamespace, name },
      revision: steps.made?.outputs["checksum"],
      provisioner,
    };
  }

  /** A Bucket with everything. */
  async up(name: string, options: BucketOptions = {}): Promise<BucketSteps> {
    const steps = await this.bindContent(name, options);
    return this.deliver(steps);
  }

  /** What is missing of a Bucket. */
  async deliver(steps: BucketSteps): Promise<BucketSteps> {
    if (steps.content.outputs["isManaged"] === true) {
      steps.made ??= await keep(lifecycles.bucket, this.bucketInputs(steps));
      steps.source ??= await keep(lifecycles.source, this.sourceInputs(steps));
    }
    steps.bound ??= await keep(lifecycles.binding, this.bindingInputs(steps));
    return steps;
  }

  /** A Bucket goes, as in a destroy. What a step does that fails stays in the state. */
  async destroy(steps: BucketSteps): Promise<void> {
    beginRun();
    const { bound, source, made } = steps;
    if (bound !== undefined) await lifecycles.binding.delete(bound.outputs);
    delete steps.bound;
    if (source !== undefined) await lifecycles.source.delete(source.outputs);
    delete steps.source;
    if (made !== undefined) await lifecycles.bucket.delete(made.outputs);
    delete steps.made;
    await lifecycles.content.delete(steps.content.outputs);
    await this.#delete(steps.bucket);
  }

  contentName({ bucket, content }: Pick<BucketSteps, "bucket" | "content">): string {
    const { name } = content.outputs["bucketClass"] as BucketClassCopy;
    return contentNameOf(name, bucket);
  }

  /** Deletes an object as @pulumi/kubernetes does: it waits until nothing holds it. @throws Error if something does. */
  async #delete({ namespace, name }: BucketName): Promise<void> {
    const { client } = this.workflow.cluster;
    await client.delete(kinds.bucket, { namespace, name });
    const left = await client.get(kinds.bucket, { namespace, name });
    if (left === undefined) return;
    throw new Error(`Bucket ${name} is held by ${left.metadata.finalizers?.join(", ") ?? "nobody"}`);
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

/** `status` of an object as the server has it. */
export function statusOf(object: KubernetesObject | undefined): Properties {
  return (object?.["status"] ?? {}) as Properties;
}
