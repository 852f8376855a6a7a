import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import type { DeletionPolicy } from "../../provider/bucket/state";
import type { BucketInfo } from "../../provider/contracts/contract";
import { isSecretInput } from "../../provider/dynamic/secret-input";
import type { DeepInput } from "../../provider/kubernetes/deep-input";
import type { NameGuard } from "../../provider/kubernetes/name-guard";
import type { BucketObjects } from "../../provider/models/model";
import type { BucketNameFormat } from "../../provider/models/objectstorage-v1alpha1/bucket-name";
import {
  ClaimBinding,
  type BucketClassCopy,
} from "../../provider/models/objectstorage-v1alpha1/claim-binding";
import { bucketClaimKind, bucketKind, modelName } from "../../provider/models/objectstorage-v1alpha1/kinds";
import type { Bucket, BucketObjectReference } from "./bucket";
import type { BucketClass } from "./bucket-class";
import {
  customResource,
  guardName,
  inParts,
  uidOf,
  type MetadataArgs,
  type ObjectScope,
} from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { scopeOf } from "./installation";
import { ProblemError, type Normalised } from "../kubernetes/problem";
import { claimProtocols, deletionPolicy } from "./normalise";
import { given } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";

/** A claim for a bucket: of a class, or one that exists. */
export interface BucketClaimArgs extends MetadataArgs, ClusterArgs {
  namespace: pulumi.Input<string>;
  /**
   * The class to make a bucket from. Either this or `existingBucket`.
   *
   * @default none: `existingBucket` is given
   */
  bucketClass?: BucketClass;
  /**
   * A static Bucket. Either this or `bucketClass`.
   *
   * @default none: `bucketClass` is given
   */
  existingBucket?: Bucket;
  /** Protocols by which the bucket is reached: `S3`, `Azure`, `GCP`. */
  protocols: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * What becomes of the bucket in the backend when the claim goes: `Retain` or `Delete`. A change is made in place and
   * sends nothing to the driver; of a bucket that exists, an edit of the class changes nothing. Not with
   * `existingBucket`, which is always kept.
   *
   * @default that of the class when the bucket was made
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Refuses a replacement that would delete the bucket. To let one pass, set it to `false` and run `pulumi up`
   * before the change. Where somebody has removed the claim, and a refresh has seen it, it lets the replacement pass at
   * once.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * How the Bucket is named: `bucket-<UID of the claim>`, or with the class name before the UID as COSI v0.2.0 did.
   * A claim that has its Bucket keeps it.
   *
   * @default "v0.2.2"
   */
  bucketNameFormat?: BucketNameFormat;
}

/**
 * A BucketClaim (objectstorage.k8s.io/v1alpha1), with the Bucket that is made for it. A change of class, protocols,
 * name or namespace replaces both, and the accesses with them.
 *
 * @example
 * ```ts
 * const photos = new cosi.objectstorage.BucketClaim("photos", {
 *   namespace: "shop", bucketClass: gold, protocols: ["S3"],
 * });
 * ```
 */
export class BucketClaim extends pulumi.ComponentResource {
  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly claimName: pulumi.Output<string>;
  /** Name of the Bucket object. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's id of the bucket. */
  readonly bucketId: pulumi.Output<string>;
  /** What clients need to reach the bucket, if the driver tells it. */
  readonly bucketInfo: pulumi.Output<BucketInfo | null>;
  /** @internal */
  readonly protocols: pulumi.Output<string[]>;
  /**
   * The namespace, as an output of the claim's object and of its bucket: an object that takes it from here is replaced
   * with either of them, in its place in the order, while an equal argument would leave it alone.
   *
   * @internal
   */
  readonly boundNamespace: pulumi.Output<string>;
  /** @internal */
  readonly bucket: DriverBucket;
  /** @internal */
  readonly object: BucketObjectReference;
  /** @internal */
  readonly driverName: pulumi.Output<string>;
  /** The bucket was there before. @internal */
  readonly isStatic: boolean;

  constructor(name: string, args: BucketClaimArgs, opts?: pulumi.ComponentResourceOptions) {
    super("cosi:objectstorage:BucketClaim", name, {}, opts);
    const scope = scopeOf(this, name, args, opts);
    const source = orInvalid(scope, () => sourceOf(args));
    this.isStatic = "existingBucket" in source;
    this.namespace = judge<string, string>(scope, args.namespace, (namespace) =>
      given("namespace", namespace),
    );
    this.claimName = pulumi.output(args.name ?? name);
    const checked = judge<string[], Normalised<string[]>>(scope, args.protocols, claimProtocols);
    this.protocols = checked.apply(({ value }) => value);

    const reference = { namespace: this.namespace, name: this.claimName };
    const warnings = checked.apply((known) => known.warnings);
    const guard = guardName(scope, bucketClaimKind, reference, warnings);
    const spec = {
      ...("bucketClass" in source
        ? { bucketClassName: source.bucketClass.className }
        : { existingBucketName: source.existingBucket.bucketName }),
      protocols: this.protocols,
    };
    const claimObject = customResource(scope, {
      kind: bucketClaimKind,
      ...reference,
      labels: args.labels,
      annotations: args.annotations,
      fields: { spec },
      immutable: spec,
      guard,
      dependsOn: [guard, "bucketClass" in source ? source.bucketClass : source.existingBucket],
    });
    const claim = { ...reference, uid: uidOf(claimObject) };
    const binding = new ClaimBinding(
      name,
      {
        kubernetes: scope.installation.target,
        owner: scope.installation.owner,
        resource: scope.resource,
        claim,
        bucketNameFormat: args.bucketNameFormat,
        protectData: args.protectData,
        ...("bucketClass" in source
          ? { bucketClass: copyOf(source.bucketClass) }
          : { existingBucketName: source.existingBucket.bucketName }),
      },
      { parent: this, dependsOn: [claimObject] },
    );
    const bound =
      "bucketClass" in source
        ? makeBucket(scope, args, source.bucketClass, { guard, binding }, this.protocols)
        : {
            ...staticBucket(source.existingBucket),
            driverName: source.existingBucket.bucketClass.driverName,
          };
    this.bucket = bound.bucket;
    // The name is known with the binding; who is told it finds a bucket that is ready, and goes before it is deleted.
    this.bucketName = pulumi.all([binding.id, this.bucket.id]).apply(([bucketName]) => bucketName);
    this.object = bound.object;
    this.driverName = bound.driverName;
    this.boundNamespace = pulumi
      .all([claimObject.metadata.namespace, this.bucket.id])
      .apply(([namespace]) => namespace);
    this.bucketId = this.bucket.bucketId;
    this.bucketInfo = this.bucket.bucketInfo;
    this.registerOutputs({
      bucketName: this.bucketName,
      bucketId: this.bucketId,
      bucketInfo: this.bucketInfo,
    });
  }
}

/** The Bucket of a claim: the object, and the bucket at the driver. */
interface BoundBucket {
  readonly bucket: DriverBucket;
  readonly object: BucketObjectReference;
  readonly driverName: pulumi.Output<string>;
}

function sourceOf({
  bucketClass,
  existingBucket,
  deletionPolicy: policy,
}: BucketClaimArgs): { bucketClass: BucketClass } | { existingBucket: Bucket } {
  // OS1-068: what somebody else made is not ours to delete.
  if (existingBucket !== undefined && policy !== undefined) {
    throw new ProblemError(
      "deletionPolicy is given beside existingBucket, which is always kept: leave deletionPolicy out",
    );
  }
  if (bucketClass !== undefined && existingBucket === undefined) return { bucketClass };
  if (existingBucket !== undefined && bucketClass === undefined) return { existingBucket };
  throw new ProblemError(
    bucketClass === undefined
      ? "bucketClass and existingBucket are both missing: give one of them"
      : "bucketClass and existingBucket are both given: leave one of them out",
  );
}

function copyOf({ className, driverName, ...rest }: BucketClass): DeepInput<BucketClassCopy> {
  const parameters = rest.parameters.apply((known) => known ?? null);
  return {
    name: className,
    driverName,
    deletionPolicy: rest.deletionPolicy,
    parameters,
    secretParameters: isSecretInput(parameters),
  };
}

function staticBucket({ bucket, object }: Bucket): Pick<BoundBucket, "bucket" | "object"> {
  return { bucket, object };
}

/** The Bucket object is named by the binding's id, and filled with what the claim took from its class. */
function makeBucket(
  scope: ObjectScope,
  { protectData, deletionPolicy: ownPolicy }: BucketClaimArgs,
  bucketClass: BucketClass,
  { guard, binding }: { guard: NameGuard; binding: ClaimBinding },
  protocols: pulumi.Output<string[]>,
): BoundBucket {
  const { component, logicalName, installation } = scope;
  const { bucketClass: copy, claim } = binding;
  const policy = judge<string, DeletionPolicy>(scope, ownPolicy ?? copy.deletionPolicy, deletionPolicy);
  const object = customResource(scope, {
    kind: bucketKind,
    name: binding.id,
    labels: undefined,
    annotations: undefined,
    fields: {
      spec: {
        driverName: copy.driverName,
        deletionPolicy: policy,
        bucketClassName: copy.name,
        bucketClaim: claim,
        protocols,
        parameters: copy.parameters.apply((known) => known ?? undefined),
      },
    },
    guard,
    dependsOn: [binding],
  });
  const bucketObject = { name: binding.id, uid: uidOf(object) };
  const bucket = new DriverBucket(
    logicalName,
    {
      driver: bucketClass.driver,
      name: binding.id,
      bucketClassName: bucketClass.className,
      parameters: copy.parameters.apply((known) => known ?? {}),
      deletionPolicy: policy,
      ...(ownPolicy === undefined ? {} : { ownDeletionPolicy: true }),
      ...(protectData === undefined ? {} : { protectData }),
      objects: inParts<BucketObjects>({
        model: modelName,
        kubernetes: installation.target,
        owner: installation.owner,
        claim,
        bucket: bucketObject,
      }),
    },
    { parent: component, dependsOn: [object] },
  );
  return { bucket, object: bucketObject, driverName: copy.driverName };
}
