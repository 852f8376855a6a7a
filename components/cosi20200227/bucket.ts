import * as pulumi from "@pulumi/pulumi";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import type { Driver } from "../../provider/driver-resource/driver";
import { BucketBinding } from "../../provider/models/cosi-2020-02/bucket-binding";
import { staticWarning } from "../../provider/models/cosi-2020-02/class-choice";
import { ContentBinding } from "../../provider/models/cosi-2020-02/content-binding";
import { backendNameOf } from "../../provider/models/cosi-2020-02/names";
import { SourceSecret } from "../../provider/models/cosi-2020-02/source-secret";
import {
  driverParameters,
  identifierFields,
  type BucketClassCopy,
} from "../../provider/models/cosi-2020-02/specs";
import { protocolOf, type ApiProtocol } from "../../provider/models/cosi-proposals/protocols";
import type { BucketObjects } from "../../provider/models/model";
import type { RevokeNotFound } from "../../provider/run/revoke-outcome";
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
import { fitting, type FittingClass } from "./class-fit";
import { scopeOf, sourceNamespaceOf, type Scope } from "./installation";
import { nameOfDriver } from "./provisioner";
import { prefixNamed, secretTimeoutNamed } from "./values";

/** A bucket with credentials for it: a new bucket, or an existing one, as the class says. */
export interface BucketArgs extends MetadataArgs, ClusterArgs {
  /**
   * Namespace of the Bucket and of the Secret.
   *
   * @default that of the Kubernetes connection: the stack's `kubernetes:namespace`, else that of the kubeconfig's context,
   * else `default`
   */
  namespace?: pulumi.Input<string>;
  /** Protocol for which the app gets credentials: `s3`, `gcs` or `azureBlob`. The class must support it. */
  requestProtocol: pulumi.Input<string>;
  /**
   * Prefix of a new bucket's name, directly followed by the UID of the Bucket: at most 27 letters, digits, `.` and `-`, with
   * a letter or digit first. Upper and lower case are kept.
   *
   * @default "": the UID alone
   */
  bucketPrefix?: pulumi.Input<string>;
  /**
   * The class that the bucket comes from. Either this or `bucketClassName`.
   *
   * @default none: `bucketClassName` is given, as there is no default class
   */
  bucketClass?: BucketClass;
  /**
   * Name of a class in the cluster, looked up when the Bucket is made: a class that `driver` serves, or, without `driver`, a
   * static one.
   *
   * @default none: `bucketClass` is given
   */
  bucketClassName?: pulumi.Input<string>;
  /**
   * The driver that makes the calls.
   *
   * @default that of `bucketClass`; without a driver, the class that `bucketClassName` names must be static
   */
  driver?: Driver;
  /**
   * Name of the Secret with the credentials, in the Bucket's namespace. A change moves the Secret, without a driver call.
   *
   * @default the name of the Bucket object
   */
  secretName?: pulumi.Input<string>;
  /**
   * Longest wait, in seconds, until somebody else's Secret of that name is gone.
   *
   * @default 120
   */
  secretTimeout?: pulumi.Input<number>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke of the account. Some drivers also
   * answer it when the administrator's secret is missing; the key would then stay alive. For `destroy`, which runs no
   * program, set PULUMI_COSI_REVOKE_NOT_FOUND=ignore.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * Refuses a replacement that would delete the bucket. To allow one, set it to `false` and run `pulumi up` before the
   * change.
   *
   * @default true
   */
  protectData?: pulumi.Input<boolean>;
}

/**
 * A Bucket (COSI proposal of 2020-02-27), with all that results from it: its BucketContent, the bucket or the grant at the
 * driver, and the Secret with the credentials. A change of protocol, prefix or class replaces all of them, and the class's
 * `releasePolicy` decides what happens to the bucket.
 *
 * A workload that takes `secretName`, or depends on the component, is created once the Secret is there, and deleted before it.
 *
 * @example
 * ```ts
 * const photos = new cosi.cosi20200227.Bucket("photos", {
 *   namespace: "shop", requestProtocol: "s3", bucketClass: gold, bucketPrefix: "YosemitePhotos-", secretName: "photos-creds",
 * });
 * ```
 */
export class Bucket extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200227:Bucket";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly bucketName: pulumi.Output<string>;
  /** Name of the BucketContent. */
  readonly contentName: pulumi.Output<string>;
  /** The backend's name of the bucket; `null` for a static one whose class does not name it. */
  readonly bucketId: pulumi.Output<string | null>;
  /** Name of the Secret with the credentials, known once it is there. */
  readonly secretName: pulumi.Output<string>;
  readonly requestProtocol: pulumi.Output<ApiProtocol>;

  constructor(name: string, args: BucketArgs, opts?: pulumi.ComponentResourceOptions) {
    super(Bucket.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["protectData", "revokeNotFound", "secretTimeout"]);
    const { installation, kinds } = scope;
    const driver = orInvalid(scope, () => driverOf(args));
    const provisioner = driver === undefined ? undefined : nameOfDriver(scope, driver);
    this.namespace = namespaceArgument(scope, args);
    this.requestProtocol = judge<unknown, ApiProtocol>(scope, args.requestProtocol, (value) =>
      protocolNamed("requestProtocol", value),
    );
    const prefix = judge<unknown, string>(scope, args.bucketPrefix, prefixNamed);
    const bucketClassName =
      args.bucketClass?.className ??
      judge<unknown, string>(scope, args.bucketClassName, (value) =>
        referenceNamed("bucketClassName", value),
      );
    const given = { namespace: this.namespace, name: args.name ?? name };
    const guard = guardName(scope, kinds.bucket, given, warningsOf(args));
    this.bucketName = guard.name;
    const secretName = isGiven(args.secretName)
      ? judge<unknown, string>(scope, args.secretName, (value) => referenceNamed("secretName", value))
      : this.bucketName;
    const reference = { namespace: this.namespace, name: this.bucketName };
    const fixed = {
      requestProtocol: this.requestProtocol,
      ...(isGiven(args.bucketPrefix) ? { bucketPrefix: prefix } : {}),
      bucketClassName,
    };
    const object = customResource(scope, {
      kind: kinds.bucket,
      ...reference,
      labels: args.labels,
      annotations: args.annotations,
      fields: { spec: { ...fixed, secretName } },
      immutable: fixed,
      guard,
      dependsOn: [guard, ...(args.bucketClass === undefined ? [] : [args.bucketClass])],
    });
    const bucket = { ...reference, uid: uidOf(object) };
    const sourceNamespace = args.bucketClass?.sourceSecretNamespace ?? sourceNamespaceOf(scope, undefined);
    const common = {
      kubernetes: installation.target,
      owner: installation.owner,
      model: installation.model,
      bucket,
    };
    const named = {
      secretName,
      ...(args.secretTimeout === undefined
        ? {}
        : { secretTimeoutSeconds: judge<unknown, number>(scope, args.secretTimeout, secretTimeoutNamed) }),
    };
    const waits = { secretTimeout: ["secretTimeoutSeconds"] };
    const binding = new ContentBinding(
      name,
      {
        ...common,
        ...named,
        resource: scope.resource,
        requestProtocol: this.requestProtocol,
        bucketPrefix: prefix,
        ...(args.bucketClass === undefined ? { bucketClassName } : { bucketClass: args.bucketClass.copy() }),
        isManaged: driver !== undefined,
        ...(provisioner === undefined ? {} : { provisioner }),
        sourceNamespace,
        ...(args.protectData === undefined ? {} : { protectData: args.protectData }),
      },
      {
        parent: this,
        dependsOn: [object],
        ...ignoring(scope, { ...carriedAs("protectData"), ...waits }),
      },
    );
    this.contentName = binding.id;
    const fit = judge<
      {
        bucketClass: BucketClassCopy;
        protocol: ApiProtocol;
        isManaged: boolean;
        driverName: string | undefined;
      },
      FittingClass
    >(
      scope,
      {
        bucketClass: toldLater(binding.bucketClass),
        protocol: this.requestProtocol,
        isManaged: driver !== undefined,
        // That of the class may have changed since; a Bucket stays with the driver that it was made by.
        driverName: args.driver === undefined ? undefined : provisioner,
      },
      ({ bucketClass, ...wanted }) => fitting(bucketClass, wanted),
    );
    // One secret in the class makes all of it secret; names, modes and policies are none.
    const shown = pulumi.unsecret(fit);
    const settled: Settled = {
      binding,
      bucket,
      fit,
      shown,
      prefix,
      protocol: this.requestProtocol,
      bucketClassName,
    };
    const managed =
      driver === undefined ? undefined : issue(scope, args, settled, { driver, sourceNamespace });
    const bound = new BucketBinding(
      name,
      {
        ...common,
        ...named,
        content: binding.id,
        source:
          managed === undefined
            ? shown.apply(({ bucketClass: { secretRef } }) => secretRef ?? { namespace: "", name: "" })
            : { namespace: sourceNamespace, name: binding.id },
        ...(managed === undefined ? {} : { revision: managed.driverBucket.checksum }),
        provisioner: shown.apply(({ bucketClass }) => bucketClass.provisioner),
      },
      { parent: this, dependsOn: [managed?.source ?? binding], ...ignoring(scope, waits) },
    );
    this.bucketId = managed?.driverBucket.bucketId ?? fit.apply(({ bucketId = null }) => bucketId);
    this.secretName = bound.secretName;
    this.registerOutputs({ secretName: this.secretName, bucketId: this.bucketId });
  }
}

/**
 * The driver that makes calls for a Bucket; `undefined` for a static one.
 *
 * @throws ProblemError for no class, for two, and for one that needs a driver and has none.
 */
function driverOf({ bucketClass, bucketClassName, driver }: BucketArgs): Driver | undefined {
  if (bucketClass === undefined) {
    if (isGiven(bucketClassName)) return driver;
    throw new ProblemError(
      "bucketClass and bucketClassName are both missing, and there is no default class: give one of them",
    );
  }
  if (isGiven(bucketClassName)) {
    throw new ProblemError("bucketClass and bucketClassName are both given: leave one of them out");
  }
  if (bucketClass.bucketCase === "static") return undefined;
  const found = driver ?? bucketClass.driver;
  if (found !== undefined) return found;
  throw new ProblemError(
    `driver is missing, and the class has only a provisioner name: its buckets are ${bucketClass.bucketCase}; give the Driver ` +
      "of its provisioner, here or to the class",
  );
}

/** K02-062: what the user should know about a static class that has a provisioner. */
function warningsOf({ bucketClass }: BucketArgs): pulumi.Input<string[]> {
  if (bucketClass?.bucketCase !== "static") return [];
  return pulumi
    .all([bucketClass.className, bucketClass.provisioner])
    .apply(([name, provisioner]) =>
      provisioner === null ? [] : [`its BucketClass ${name} ${staticWarning(provisioner)}`],
    );
}

interface Settled {
  readonly binding: ContentBinding;
  readonly bucket: {
    readonly namespace: pulumi.Output<string>;
    readonly name: pulumi.Output<string>;
    readonly uid: pulumi.Output<string>;
  };
  readonly fit: pulumi.Output<FittingClass>;
  /** The same, for parts of it that are no secret. */
  readonly shown: pulumi.Output<FittingClass>;
  readonly prefix: pulumi.Output<string>;
  readonly protocol: pulumi.Output<ApiProtocol>;
  readonly bucketClassName: pulumi.Output<string>;
}

/** The bucket or the grant at the driver, and the Secret with what it has issued. */
function issue(
  scope: Scope,
  { protectData, revokeNotFound }: BucketArgs,
  { binding, bucket, fit, shown, prefix, protocol, bucketClassName }: Settled,
  { driver, sourceNamespace }: { driver: Driver; sourceNamespace: pulumi.Output<string> },
): { driverBucket: DriverBucket; source: SourceSecret } {
  const { component, logicalName, installation } = scope;
  const options = { parent: component };
  const { target: kubernetes, owner, model } = installation;
  const made = pulumi.all([fit, protocol]).apply(([{ bucketClass, bucketCase, bucketId }, wanted]) => {
    const isNew = bucketCase === "greenfield";
    return {
      existingBucketId: isNew ? undefined : bucketId,
      bucketIdentifier: isNew ? undefined : identifierOf(bucketClass, wanted),
      parameters: driverParameters(bucketClass, wanted),
    };
  });
  // Given whatever the class turns out to be: an update of the binding leaves unknown what was looked up, and an unknown
  // name would be another one. For an existing bucket it means nothing.
  const name = pulumi.all([prefix, bucket.uid]).apply(([text, uid]) => nameOfNew(text, uid));
  const driverBucket = new DriverBucket(
    logicalName,
    {
      driver,
      name: optional(name),
      existingBucketId: optional(made.existingBucketId),
      bucketIdentifier: optional(made.bucketIdentifier),
      protocol: protocol.apply(protocolOf),
      parameters: made.parameters,
      accessMode: shown.apply(({ bucketClass }) => bucketClass.accessMode),
      deletionPolicy: shown.apply(({ bucketClass, bucketCase }) =>
        bucketCase === "greenfield" ? bucketClass.releasePolicy : "Retain",
      ),
      bucketClassName,
      ...(protectData === undefined ? {} : { protectData }),
      ...(revokeNotFound === undefined ? {} : { revokeNotFound }),
      objects: inParts<BucketObjects>({
        model,
        kubernetes,
        owner,
        claim: bucket,
        bucket: { name: binding.id, uid: "" },
      }),
    },
    {
      ...options,
      dependsOn: [binding],
      ...ignoring(scope, carriedAs("protectData", "revokeNotFound")),
    },
  );
  const source = new SourceSecret(
    logicalName,
    {
      kubernetes,
      owner,
      model,
      content: binding.id,
      bucket,
      namespace: sourceNamespace,
      data: toldLater(driverBucket.credentials),
      provisioner: shown.apply(({ bucketClass }) => bucketClass.provisioner ?? ""),
    },
    { ...options, dependsOn: [driverBucket] },
  );
  return { driverBucket, source };
}

/** K02-023. An absent name keeps the recorded one. */
function nameOfNew(prefix: string, uid: string | undefined): string | undefined {
  return uid === undefined ? undefined : backendNameOf(prefix, { uid });
}

/** What of the identifier goes to the fields of the wire; the rest are parameters. */
function identifierOf({ bucketIdentifier }: BucketClassCopy, protocol: ApiProtocol): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bucketIdentifier ?? {}).filter(([key]) => identifierFields[protocol].includes(key)),
  );
}
