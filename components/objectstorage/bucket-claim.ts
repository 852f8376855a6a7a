import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import type { BucketInfo } from "../../provider/contracts/contract";
import type { BucketNameFormat } from "../../provider/models/objectstorage-v1alpha1/bucket-name";
import { ClaimBinding } from "../../provider/models/objectstorage-v1alpha1/claim-binding";
import { bucketClaimKind } from "../../provider/models/objectstorage-v1alpha1/kinds";
import {
  carriedByBinding,
  carriedByBucket,
  copyOf,
  madeBucket,
  policyOf,
  type BucketObjectReference,
} from "../claimed/bucket-object";
import { boundTo, sourceOf, writeClaim } from "../claimed/claim-object";
import { ComponentResource } from "../kubernetes/component-resource";
import type { MetadataArgs } from "../kubernetes/custom-resource";
import { ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import type { Normalised } from "../kubernetes/problem";
import { given } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import type { Bucket } from "./bucket";
import type { BucketClass } from "./bucket-class";
import { scopeOf } from "./installation";
import { claimProtocols } from "./normalise";

/** A claim for a bucket: a new one of a class, or an existing one. */
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
   * What happens to the bucket in the backend when the claim goes: `Retain` or `Delete`. A change is made in place and
   * sends nothing to the driver. Editing the class changes nothing for an existing bucket. Cannot be combined with
   * `existingBucket`, which is always kept.
   *
   * @default the class's policy at the time when the bucket was made
   */
  deletionPolicy?: pulumi.Input<string>;
  /**
   * Refuses a replacement that would delete the bucket. To allow one, set it to `false` and run `pulumi up` before the
   * change. If somebody has removed the claim, and a refresh has seen that, `false` allows the replacement at once.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * How the Bucket is named: `bucket-<UID of the claim>` (`v0.2.2`), or the class name followed by the UID, as COSI v0.2.0
   * did (`v0.2.0`). A claim that already has its Bucket keeps it.
   *
   * @default "v0.2.2"
   */
  bucketNameFormat?: BucketNameFormat;
}

/**
 * A BucketClaim (objectstorage.k8s.io/v1alpha1), with the Bucket that is made for it. A change of class, protocols,
 * name or namespace replaces both, and their accesses too.
 *
 * @example
 * ```ts
 * const photos = new cosi.objectstorage.BucketClaim("photos", {
 *   namespace: "shop", bucketClass: gold, protocols: ["S3"],
 * });
 * ```
 */
export class BucketClaim extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:BucketClaim";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly claimName: pulumi.Output<string>;
  /** Name of the Bucket object. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's id of the bucket. */
  readonly bucketId: pulumi.Output<string>;
  /** What clients need to reach the bucket, if the driver reports it. */
  readonly bucketInfo: pulumi.Output<BucketInfo | null>;
  /** @internal */
  readonly protocols: pulumi.Output<string[]>;
  /**
   * The namespace, as an output of the claim's object and of its bucket. An object that takes its namespace from here is
   * replaced along with either of them, in the right order; with an equal argument it would be left alone.
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
  /** The bucket existed before. @internal */
  readonly isStatic: boolean;

  constructor(name: string, args: BucketClaimArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketClaim.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["deletionPolicy", "protectData"]);
    const source = orInvalid(scope, () =>
      sourceOf({ bucketClass: "bucketClass", existing: "existingBucket" }, argumentsOf(args)),
    );
    this.isStatic = "existing" in source;
    this.namespace = judge<string, string>(scope, args.namespace, (namespace) =>
      given("namespace", namespace),
    );
    const checked = judge<string[], Normalised<string[]>>(scope, args.protocols, claimProtocols);
    this.protocols = checked.apply(({ value }) => value);

    const claimObject = writeClaim(scope, {
      kind: bucketClaimKind,
      namespace: this.namespace,
      name: pulumi.output(args.name ?? name),
      args,
      spec: {
        ...("existing" in source
          ? { existingBucketName: source.existing.bucketName }
          : { bucketClassName: source.bucketClass.className }),
        protocols: this.protocols,
      },
      warnings: checked.apply((known) => known.warnings),
      source: "existing" in source ? source.existing : source.bucketClass,
    });
    this.claimName = claimObject.claim.name;
    const binding = new ClaimBinding(
      name,
      {
        kubernetes: scope.installation.target,
        owner: scope.installation.owner,
        resource: scope.resource,
        claim: claimObject.claim,
        bucketNameFormat: args.bucketNameFormat,
        protectData: args.protectData,
        ...("existing" in source
          ? { existingBucketName: source.existing.bucketName }
          : {
              bucketClass: copyOf(source.bucketClass),
              bucketFields: {
                deletionPolicy: policyOf(scope, args, source.bucketClass.deletionPolicy),
                protocols: this.protocols,
              },
            }),
      },
      { parent: this, dependsOn: [claimObject.object], ...ignoring(scope, carriedByBinding("bucketFields")) },
    );
    if ("existing" in source) {
      this.bucket = source.existing.bucket;
      this.object = source.existing.object;
      this.driverName = source.existing.bucketClass.driverName;
    } else {
      const { claim, bucketClass: copy, bucketUid: uid } = binding;
      const bound = { resource: binding, claim, copy, uid };
      const { reference, made } = madeBucket(scope, source.bucketClass.driver, bound, args);
      this.bucket = new DriverBucket(
        name,
        { ...made, bucketClassName: source.bucketClass.className },
        { parent: this, dependsOn: [binding], ...ignoring(scope, carriedByBucket) },
      );
      this.object = reference;
      this.driverName = binding.bucketClass.driverName;
    }
    const bound = boundTo(claimObject, binding, this.bucket);
    this.bucketName = bound.bucketName;
    this.boundNamespace = bound.boundNamespace;
    this.bucketId = this.bucket.bucketId;
    this.bucketInfo = this.bucket.bucketInfo;
    this.registerOutputs({
      bucketName: this.bucketName,
      bucketId: this.bucketId,
    });
  }
}

function argumentsOf({ bucketClass, existingBucket, deletionPolicy }: BucketClaimArgs) {
  return { bucketClass, existing: existingBucket, deletionPolicy };
}
