import * as pulumi from "@pulumi/pulumi";
import { readClaimId } from "../../provider/models/objectbucket/claim-id";
import { ComponentResource } from "../kubernetes/component-resource";
import { namespaceNamed } from "../kubernetes/named-values";
import { judge, orInvalid } from "../kubernetes/scope";
import { toldLater } from "../kubernetes/told-later";
import { bind } from "./bind";
import type { ObjectBucketClaimArgs } from "./claim-args";
import { judgeOptions } from "./claim-options";
import { connectionOfClaim } from "./connection";
import { scopeOf } from "./installation";
import { adopt, makeClaim, namesOf } from "./make-claim";
import { provision } from "./provision";
import type { Settled } from "./settled-claim";

/**
 * An ObjectBucketClaim (objectbucket.io/v1alpha1), with all that results from it: the bucket or the grant at the driver, its
 * ObjectBucket, and a Secret and a ConfigMap of its name for the workloads. A change of class, `bucketName`, name or namespace
 * replaces all of them, and the class's `reclaimPolicy` decides what happens to the bucket.
 *
 * A workload that takes an output, or depends on the component, is created once the claim is bound, and deleted before its
 * keys.
 *
 * @example
 * ```ts
 * const photos = new cosi.objectbucket.ObjectBucketClaim("photos", {
 *   namespace: "shop", storageClass: gold, generateBucketName: "photos",
 * });
 * ```
 */
export class ObjectBucketClaim extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectbucket:ObjectBucketClaim";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly claimName: pulumi.Output<string>;
  /** The backend's name of the bucket. */
  readonly bucketName: pulumi.Output<string>;
  /** Host at which the bucket is reached, without scheme and port. */
  readonly bucketHost: pulumi.Output<string>;
  readonly bucketPort: pulumi.Output<number>;
  /** True if the bucket is reached over TLS. */
  readonly ssl: pulumi.Output<boolean>;
  /** Empty if nothing says it. */
  readonly region: pulumi.Output<string>;
  /** Scheme, host and port as one URL. */
  readonly endpointUrl: pulumi.Output<string>;
  /** Name of the Secret with the credentials. */
  readonly secretName: pulumi.Output<string>;
  /** Name of the ConfigMap that says how to reach the bucket. */
  readonly configMapName: pulumi.Output<string>;
  /** Name of the ObjectBucket. */
  readonly objectBucketName: pulumi.Output<string>;
  /** `Bound`. */
  readonly phase: pulumi.Output<string>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a rotation rolls out the pods. */
  readonly checksum: pulumi.Output<string | null>;
  /** Secret. */
  readonly accessKeyId: pulumi.Output<string>;
  /** Secret. */
  readonly secretAccessKey: pulumi.Output<string>;

  constructor(name: string, args: ObjectBucketClaimArgs, opts?: pulumi.ComponentResourceOptions) {
    super(ObjectBucketClaim.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "additionalConfig",
      "protectData",
      "revokeNotFound",
      "rotation",
    ]);
    const { driver, ...options } = orInvalid(scope, () => judgeOptions(args));
    this.namespace = judge<unknown, string>(scope, args.namespace, (value) =>
      namespaceNamed("namespace", value),
    );
    const given = { namespace: this.namespace, claimName: pulumi.output(args.name ?? name) };
    const claim = makeClaim(scope, args, given, { driver, options, names: namesOf(scope, args, given) });
    this.claimName = claim.name;
    const id = claim.id.apply(readClaimId);
    const settled: Settled = {
      claim,
      id,
      reference: { namespace: this.namespace, name: this.claimName, uid: id.apply(({ uid }) => uid) },
      copy: toldLater(claim.storageClass),
      names: claim,
      driver,
      options,
    };
    const adopted = options.adopt ? adopt(scope, settled) : undefined;
    const granted = provision(scope, args, settled, adopted);
    const connection = connectionOfClaim(scope, args, settled, granted, adopted);
    const bound = bind(scope, args, settled, { granted, connection, adopted });

    // Whoever takes one of these outputs comes after all of the objects, and goes before any of them.
    const ready = <T>(value: pulumi.Output<T>): pulumi.Output<T> =>
      pulumi.all([bound.id, value]).apply(([, known]) => pulumi.output<unknown>(known) as pulumi.Output<T>);
    this.bucketName = ready(connection.apply(({ bucketName }) => bucketName));
    this.bucketHost = ready(connection.apply(({ endpoint }) => endpoint.host));
    this.bucketPort = ready(connection.apply(({ endpoint }) => endpoint.port));
    this.ssl = ready(connection.apply(({ endpoint }) => endpoint.ssl));
    this.region = ready(connection.apply(({ region }) => region));
    this.endpointUrl = ready(connection.apply(({ endpoint }) => endpoint.url));
    this.secretName = ready(claim.secretName);
    this.configMapName = ready(claim.configMapName);
    this.objectBucketName = ready(claim.objectBucketName);
    this.phase = bound.phase;
    this.checksum = ready(granted.checksum);
    this.accessKeyId = pulumi.secret(ready(granted.accessKeyId));
    this.secretAccessKey = pulumi.secret(ready(granted.secretAccessKey));
    this.registerOutputs({
      bucketName: this.bucketName,
      secretName: this.secretName,
      configMapName: this.configMapName,
      objectBucketName: this.objectBucketName,
    });
  }
}
