import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import type { Driver } from "../../provider/driver-resource/driver";
import type { BucketObjects } from "../../provider/models/model";
import { bucketNameOf, derivedNameProblem } from "../../provider/models/cosi-2020-07/names";
import { RequestBinding, type RequestBindingArgs } from "../../provider/models/cosi-2020-07/request-binding";
import type { BucketClassCopy } from "../../provider/models/cosi-2020-07/specs";
import { protocolOf, type ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import { requireDriverOf } from "../cosi-proposals/driver-name";
import { isGiven, protocolNamed } from "../cosi-proposals/values";
import { namespaceArgument } from "../kubernetes/connection-namespace";
import { ComponentResource } from "../kubernetes/component-resource";
import {
  customResource,
  guardName,
  inParts,
  optional,
  uidOf,
  type MetadataArgs,
} from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import type { ClusterArgs } from "../kubernetes/installation";
import { referenceNamed } from "../kubernetes/named-values";
import { ProblemError } from "../kubernetes/problem";
import { judge, orInvalid } from "../kubernetes/scope";
import { toldLater } from "../kubernetes/told-later";
import type { BucketClass } from "./bucket-class";
import { defaultClassFor } from "./default-classes";
import { scopeOf, type Scope } from "./installation";
import { noteDriver } from "./known-drivers";
import { driverFor } from "./provisioner";
import { prefixNamed } from "./values";

/** A request for a bucket: a new one of a class, or one that already has a Bucket object. */
export interface BucketRequestArgs extends MetadataArgs, ClusterArgs {
  /**
   * Namespace of the request.
   *
   * @default that of the Kubernetes connection: the stack's `kubernetes:namespace`, else that of the kubeconfig's context,
   * else `default`
   */
  namespace?: pulumi.Input<string>;
  /** Protocol by which the bucket is reached: `s3`, `gcs` or `azureBlob`. */
  protocol: pulumi.Input<string>;
  /**
   * Prefix of a new bucket's name, directly followed by the UID of the request: at most 27 lower-case letters, digits, `-`
   * and, except for `azureBlob`, `.`.
   *
   * @default "": the UID alone
   */
  bucketPrefix?: pulumi.Input<string>;
  /**
   * The class that a new bucket is made from.
   *
   * @default the class that `bucketClassName` names, else the default class of the protocol: the one that the program has
   * constructed before this request, or the one that the cluster has at the first `up`
   */
  bucketClass?: BucketClass;
  /**
   * Name of a class in the cluster, instead of `bucketClass`; `driver` serves it. It is looked up when the bucket is made.
   *
   * @default see `bucketClass`
   */
  bucketClassName?: pulumi.Input<string>;
  /**
   * Name of an existing Bucket: one that an admin made, or that was made for another request, in this program (`bucketName` of
   * either) or elsewhere. No bucket is made then. A change unbinds the request and binds it anew.
   *
   * @default none: a bucket is made
   */
  bucketInstanceName?: pulumi.Input<string>;
  /**
   * Secret in the request's namespace with the keys with which the driver logs in to its store. It is used to make and delete
   * the bucket if the class names no Secret. It is read when the call is made, and is never written.
   *
   * @default none: the driver has its own keys
   */
  secretName?: pulumi.Input<string>;
  /**
   * The driver that makes the bucket.
   *
   * @default that of `bucketClass`; for a class that is named or looked up, the only one that earlier components of this
   * program have named
   */
  driver?: Driver;
  /**
   * Refuses a replacement that would delete the bucket. To allow one, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
  /**
   * Longest wait, in seconds, for a delete that the driver reports as in progress.
   *
   * @default 600
   */
  deleteTimeoutSeconds?: pulumi.Input<number>;
}

/**
 * A BucketRequest (COSI proposal of 2020-07-08). For a new bucket, it makes the Bucket object, and the bucket at the driver.
 * A later change of protocol, prefix or class replaces all of them as `releasePolicy` says, and is refused with `Retain`.
 * Workloads get access through a {@link BucketAccessRequest}.
 *
 * @example
 * ```ts
 * const photos = new cosi.cosi20200708.BucketRequest("photos", {
 *   namespace: "shop", protocol: "s3", bucketClass: gold, bucketPrefix: "photos-",
 * });
 * ```
 * @example A bucket that already has a Bucket object
 * ```ts
 * const archive = new cosi.cosi20200708.BucketRequest("archive", {
 *   namespace: "shop", protocol: "s3", bucketInstanceName: "bucket-archive-team-a",
 * });
 * ```
 */
export class BucketRequest extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200708:BucketRequest";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly requestName: pulumi.Output<string>;
  /** Name of the Bucket object, known once there is a bucket: for `bucketInstanceName` of other requests. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's name of the bucket that was made; `null` for a request that names a Bucket. */
  readonly bucketId: pulumi.Output<string | null>;
  readonly protocol: pulumi.Output<ApiProtocol>;
  /** The bucket at the driver; `undefined` for a request that names a Bucket. @internal */
  readonly bucket: DriverBucket | undefined;
  /** What the bucket was made from; `undefined` for a request that names a Bucket. @internal */
  readonly copiedClass: pulumi.Output<BucketClassCopy> | undefined;
  /** @internal */
  readonly driver: Driver | undefined;
  /**
   * The namespace, as an output of the object and of the bucket. An object that takes its namespace from here is replaced
   * along with either of them, in the right order; with an equal argument it would be left alone.
   *
   * @internal
   */
  readonly boundNamespace: pulumi.Output<string>;

  constructor(name: string, args: BucketRequestArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketRequest.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["deleteTimeoutSeconds", "protectData"]);
    const { installation, kinds } = scope;
    const source = orInvalid(scope, () => sourceOf(scope, args));
    this.namespace = namespaceArgument(scope, args);
    this.protocol = judge<unknown, ApiProtocol>(scope, args.protocol, (value) =>
      protocolNamed("protocol", value),
    );
    const given = { namespace: this.namespace, name: pulumi.output(args.name ?? name) };
    const isNew = !("bucketInstanceName" in source);
    const prefix = isNew
      ? judge(scope, pulumi.all([args.bucketPrefix, this.protocol]), ([text, protocol]) =>
          prefixNamed(text, protocol),
        )
      : pulumi.output(args.bucketPrefix ?? "");
    const named = namedIn(scope, args);
    const guard = guardName(scope, kinds.bucketRequest, given, warningsOf(scope, args, given, isNew));
    this.requestName = guard.name;
    const reference = { namespace: this.namespace, name: this.requestName };
    const spec = {
      protocol: this.protocol,
      ...(isGiven(args.bucketPrefix) ? { bucketPrefix: prefix } : {}),
      ...(named.bucketClassName === undefined ? {} : { bucketClassName: named.bucketClassName }),
    };
    const object = customResource(scope, {
      kind: kinds.bucketRequest,
      ...reference,
      labels: args.labels,
      annotations: args.annotations,
      fields: {
        spec: {
          ...spec,
          ...(named.secretName === undefined ? {} : { secretName: named.secretName }),
          ...(isNew ? {} : { bucketInstanceName: source.bucketInstanceName }),
        },
      },
      ...(isNew ? { immutable: spec } : {}),
      guard,
      dependsOn: [guard, ...(isNew ? source.classes : [])],
    });
    const request = { ...reference, uid: uidOf(object) };
    const binding = new RequestBinding(
      name,
      {
        kubernetes: installation.target,
        owner: installation.owner,
        resource: scope.resource,
        model: installation.model,
        request,
        protocol: this.protocol,
        ...(args.protectData === undefined ? {} : { protectData: args.protectData }),
        ...(isNew
          ? { bucketPrefix: prefix, ...classOf(source, named.bucketClassName) }
          : { bucketInstanceName: source.bucketInstanceName }),
      },
      { parent: this, dependsOn: [object], ...ignoring(scope, carriedAs("protectData")) },
    );
    if (isNew) {
      this.copiedClass = toldLater(binding.bucketClass);
      this.driver = source.driver;
      this.bucket = makeBucket(scope, args, source, {
        binding,
        request,
        prefix,
        protocol: this.protocol,
        className: source.byDefault ? undefined : (source.bucketClass?.className ?? named.bucketClassName),
        secretName: named.secretName,
      });
      this.bucketId = this.bucket.bucketId;
      // The name is known with the binding; whoever takes it finds a bucket that is ready, and goes before it is deleted.
      this.bucketName = pulumi.all([binding.id, this.bucket.id]).apply(([bucketName]) => bucketName);
    } else {
      this.driver = args.driver;
      this.bucketId = pulumi.output(null);
      this.bucketName = binding.id;
    }
    this.boundNamespace = pulumi
      .all([object.metadata.namespace, this.bucketName])
      .apply(([namespace]) => namespace);
    this.registerOutputs({ bucketName: this.bucketName, bucketId: this.bucketId });
  }
}

/** What a new bucket is made from. */
interface NewBucket {
  /** A class of the program. @default one of the cluster */
  readonly bucketClass?: BucketClass;
  /** The request names no class: it gets the default one of its protocol. */
  readonly byDefault: boolean;
  /** The classes of the program that have to be there before. */
  readonly classes: readonly BucketClass[];
  readonly driver: Driver;
  /** Name of the driver, where it is not the class's own. */
  readonly provisioner?: pulumi.Output<string>;
}

/** A Bucket that is there. */
interface ExistingBucket {
  readonly bucketInstanceName: pulumi.Output<string>;
}

function sourceOf(scope: Scope, args: BucketRequestArgs): NewBucket | ExistingBucket {
  const { bucketInstanceName, bucketClass, bucketClassName } = args;
  if (bucketClass !== undefined && isGiven(bucketClassName)) {
    throw new ProblemError("bucketClass and bucketClassName are both given: leave one of them out");
  }
  if (isGiven(bucketInstanceName)) {
    if (args.driver !== undefined) noteDriver(scope.installation, args.driver);
    return {
      bucketInstanceName: judge<unknown, string>(scope, bucketInstanceName, (value) =>
        referenceNamed("bucketInstanceName", value),
      ),
    };
  }
  const byDefault = bucketClass === undefined && !isGiven(bucketClassName);
  const found = byDefault
    ? defaultClassFor(scope.installation, args.protocol)
    : { bucketClass, possible: [] };
  const classes = found.bucketClass === undefined ? found.possible : [found.bucketClass];
  const given = driverFor(scope, args.driver, found.bucketClass?.driver);
  return {
    ...(found.bucketClass === undefined ? {} : { bucketClass: found.bucketClass }),
    byDefault,
    classes,
    ...given,
  };
}

/** Objects that the request names. */
function namedIn(
  scope: Scope,
  { bucketClass, bucketClassName, secretName }: BucketRequestArgs,
): { bucketClassName: pulumi.Output<string> | undefined; secretName: pulumi.Output<string> | undefined } {
  const name = (argument: string, value: pulumi.Input<string> | undefined) =>
    isGiven(value)
      ? judge<unknown, string>(scope, value, (text) => referenceNamed(argument, text))
      : undefined;
  return {
    bucketClassName: bucketClass?.className ?? name("bucketClassName", bucketClassName),
    secretName: name("secretName", secretName),
  };
}

/** What the user should know about the inputs. It fails if a name made from them is not possible. */
function warningsOf(
  scope: Scope,
  { bucketPrefix, bucketClass, bucketClassName }: BucketRequestArgs,
  reference: { namespace: pulumi.Output<string>; name: pulumi.Output<string> },
  isNew: boolean,
): pulumi.Output<string[]> {
  if (isNew) {
    return judge(scope, pulumi.all([reference.namespace, reference.name]), ([namespace, name]) => {
      const problem = derivedNameProblem(bucketNameOf({ namespace, name }));
      if (problem !== undefined) throw new ProblemError(`name is ${JSON.stringify(name)}, which ${problem}`);
      return [];
    });
  }
  const ignored = [
    ...(bucketClass !== undefined || isGiven(bucketClassName) ? ["the class"] : []),
    ...(isGiven(bucketPrefix) ? ["bucketPrefix"] : []),
  ];
  return pulumi.output(
    ignored.map((what) => `${what} is ignored beside bucketInstanceName, with which no bucket is made`),
  );
}

/** The class, as the binding takes it. */
function classOf(
  { bucketClass, byDefault, provisioner }: NewBucket,
  bucketClassName: pulumi.Output<string> | undefined,
): Pick<RequestBindingArgs, "bucketClass" | "byDefault" | "bucketClassName" | "provisioner"> {
  const chosen = byDefault ? { byDefault } : {};
  if (bucketClass !== undefined) return { bucketClass: bucketClass.copy(), ...chosen };
  return {
    ...chosen,
    ...(bucketClassName === undefined ? {} : { bucketClassName }),
    ...(provisioner === undefined ? {} : { provisioner }),
  };
}

interface Settled {
  readonly binding: RequestBinding;
  readonly request: {
    namespace: pulumi.Output<string>;
    name: pulumi.Output<string>;
    uid: pulumi.Output<string>;
  };
  readonly prefix: pulumi.Output<string>;
  readonly protocol: pulumi.Output<ApiProtocol>;
  readonly className: pulumi.Output<string> | undefined;
  readonly secretName: pulumi.Output<string> | undefined;
}

/** The bucket at the driver, filled with what the request took from its class. */
function makeBucket(
  scope: Scope,
  { protectData, deleteTimeoutSeconds }: BucketRequestArgs,
  source: NewBucket,
  { binding, request, prefix, protocol, className, secretName }: Settled,
): DriverBucket {
  const { component, logicalName, installation } = scope;
  const copy = toldLater(binding.bucketClass);
  const checked = judge(
    scope,
    pulumi.all([copy, protocol, source.provisioner]),
    ([known, wanted, provisioner]) => {
      requireProtocol(known, wanted);
      if (provisioner !== undefined) {
        requireDriverOf(known.provisioner, provisioner, `the BucketClass ${known.name}`);
      }
      return known;
    },
  );
  return new DriverBucket(
    logicalName,
    {
      driver: source.driver,
      name: optional(
        pulumi
          .all([prefix, request.uid])
          // An absent name keeps the recorded one.
          .apply(([text, uid]: [string, string | undefined]) =>
            uid === undefined ? undefined : `${text}${uid}`,
          ),
      ),
      bucketClassName: className ?? copy.apply((known) => known.name),
      protocol: protocol.apply(protocolOf),
      parameters: copy.apply((known) => known.parameters),
      deletionPolicy: checked.apply((known) => known.releasePolicy),
      anonymousAccess: copy.apply((known) => known.anonymousAccessMode),
      ...(protectData === undefined ? {} : { protectData }),
      ...(deleteTimeoutSeconds === undefined ? {} : { deleteTimeoutSeconds }),
      objects: inParts<BucketObjects>({
        model: installation.model,
        kubernetes: installation.target,
        owner: installation.owner,
        claim: request,
        bucket: { name: binding.id, uid: "" },
        ...(secretName === undefined ? {} : { secretName }),
      }),
    },
    {
      parent: component,
      dependsOn: [binding],
      ...ignoring(scope, carriedAs("deleteTimeoutSeconds", "protectData")),
    },
  );
}

/** K07-028, where the class is known: it is the one that the request keeps, whatever has become of the class since. */
function requireProtocol(copy: BucketClassCopy, protocol: ApiProtocol): void {
  if (copy.protocol === protocol) return;
  throw new ProblemError(
    `protocol is ${JSON.stringify(protocol)}, and the BucketClass ${copy.name} is for ${JSON.stringify(copy.protocol)}: ` +
      "give a class of that protocol, or ask for the class's protocol",
  );
}
