import * as pulumi from "@pulumi/pulumi";
import { BucketAccess as DriverAccess } from "../../provider/bucket-access/bucket-access";
import type { RevokeNotFound } from "../../provider/run/revoke-outcome";
import type { IssuedCredential } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import { Secret } from "../../provider/kubernetes/secret-resource";
import { AccessRequestBinding } from "../../provider/models/cosi-2020-07/access-request-binding";
import { BucketBinding } from "../../provider/models/cosi-2020-07/bucket-binding";
import {
  accessNameOf,
  derivedNameProblem,
  namespaceOfProvisioner,
} from "../../provider/models/cosi-2020-07/names";
import type { AccessClassCopy } from "../../provider/models/cosi-2020-07/specs";
import type { AccessObjects } from "../../provider/models/model";
import { requireDriverOf } from "../cosi-proposals/driver-name";
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
import { connectionKeys } from "../secrets/connection";
import { issuedKeys } from "../secrets/issued";
import { accessedBucket, type AccessedBucketArgs } from "./accessed-bucket";
import type { BucketAccessClass } from "./bucket-access-class";
import type { BucketRequest } from "./bucket-request";
import { scopeOf, type Scope } from "./installation";
import { driverFor, nameOfDriver } from "./provisioner";

/** A request for access to a bucket, for a Secret or for a ServiceAccount. */
export interface BucketAccessRequestArgs extends AccessedBucketArgs, MetadataArgs, ClusterArgs {
  /**
   * Namespace of the request; it must be that of its BucketRequest.
   *
   * @default that of the Kubernetes connection: the stack's `kubernetes:namespace`, else that of the kubeconfig's context,
   * else `default`
   */
  namespace?: pulumi.Input<string>;
  /**
   * The class that says what the account may do. Either this or `bucketAccessClassName`.
   *
   * @default none: `bucketAccessClassName` is given
   */
  bucketAccessClass?: BucketAccessClass;
  /**
   * Name of a class in the cluster, which `driver` serves. It is looked up when access is granted.
   *
   * @default none: `bucketAccessClass` is given
   */
  bucketAccessClassName?: pulumi.Input<string>;
  /**
   * Name of the Secret that the credentials are written to. It must not exist yet. A change moves it. Either this or
   * `serviceAccountName`.
   *
   * @default none: `serviceAccountName` is given
   */
  accessSecretName?: pulumi.Input<string>;
  /**
   * ServiceAccount, in the request's namespace, that gets access through the identity that the platform gives it; no Secret
   * is made. Either this or `accessSecretName`.
   *
   * @default none: `accessSecretName` is given
   */
  serviceAccountName?: pulumi.Input<string>;
  /**
   * The driver that grants access.
   *
   * @default that of `bucketAccessClass`, else that of `bucketRequest`, else the only one that earlier components of this
   * program have named
   */
  driver?: Driver;
  /**
   * Adds keys to the Secret that say how to reach the bucket: `protocol`, `bucketName` or `containerName`, and what is known
   * of `endpoint`, `region`, `projectId` and `storageAccount`. A key that the driver returned is never overwritten.
   *
   * @default false
   */
  connectionKeys?: boolean;
  /**
   * Labels of the Secret.
   *
   * @default none
   */
  secretLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke without one of the proposal's error
   * names. Some drivers also answer it when something else is missing; the key would then stay alive.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
}

/**
 * A BucketAccessRequest (COSI proposal of 2020-07-08): an account of its own at the driver, its BucketAccess object, and
 * the Secret with its credentials, which has a key for each field that the driver returned. A change of bucket, class or
 * ServiceAccount replaces it and revokes the old account first.
 *
 * @example
 * ```ts
 * const access = new cosi.cosi20200708.BucketAccessRequest("web", {
 *   namespace: "shop", bucketRequest: photos, bucketAccessClass: writers, accessSecretName: "photos-creds",
 * });
 * ```
 */
export class BucketAccessRequest extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:cosi20200708:BucketAccessRequest";

  readonly namespace: pulumi.Output<string>;
  /** Name of the object. */
  readonly requestName: pulumi.Output<string>;
  /** Name of the BucketAccess object, which is that of the account. */
  readonly accessName: pulumi.Output<string>;
  /** Name of the Bucket object. */
  readonly bucketName: pulumi.Output<string>;
  /** The backend's name of the bucket. */
  readonly bucketId: pulumi.Output<string>;
  /** Name of the Secret, known once it is written and access is bound; `""` with a ServiceAccount. */
  readonly secretName: pulumi.Output<string>;
  /** Name of the ServiceAccount, known once it has access; `""` with a Secret. */
  readonly serviceAccountName: pulumi.Output<string>;
  /** The credentials, by the keys of the Secret. Secret. */
  readonly credentials: pulumi.Output<Record<string, string>>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a change rolls out the pods. */
  readonly checksum: pulumi.Output<string | null>;

  constructor(name: string, args: BucketAccessRequestArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketAccessRequest.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, ["revokeNotFound", "secretLabels"]);
    const { installation, kinds } = scope;
    const recipient = orInvalid(scope, () => recipientOf(scope, args));
    const accessed = orInvalid(scope, () => accessedBucket(scope, args));
    const className = orInvalid(scope, () => classNameOf(scope, args));
    const { driver, provisioner, isOfClass } = orInvalid(scope, () => grantor(scope, args));
    const { bucketAccessClass, bucketRequest } = args;
    this.namespace = namespaceArgument(scope, args);
    const given = pulumi.output(args.name ?? name);
    const warnings = judge(
      scope,
      pulumi.all([given, this.namespace, bucketRequest?.namespace]),
      ([request, namespace, ofBucket]) => {
        requireSameNamespace(namespace, ofBucket);
        const problem = derivedNameProblem(accessNameOf({ namespace, name: request }));
        if (problem !== undefined)
          throw new ProblemError(`name is ${JSON.stringify(request)}, which ${problem}`);
        return [];
      },
    );
    const guard = guardName(
      scope,
      kinds.bucketAccessRequest,
      { namespace: this.namespace, name: given },
      warnings,
    );
    this.requestName = guard.name;
    const reference = { namespace: this.namespace, name: this.requestName };
    this.accessName = pulumi
      .all([reference.namespace, reference.name])
      .apply(([namespace, request]) => accessNameOf({ namespace, name: request }));
    const fixed = {
      bucketInstance: accessed.name,
      bucketAccessClassName: className,
      ...("serviceAccountName" in recipient ? recipient : {}),
    };
    const object = customResource(scope, {
      kind: kinds.bucketAccessRequest,
      name: reference.name,
      namespace: bucketRequest?.boundNamespace ?? reference.namespace,
      labels: args.labels,
      annotations: args.annotations,
      fields: { spec: { ...fixed, ...recipient } },
      // The Bucket's name stays when its request is replaced; the bucket does not.
      immutable: { ...fixed, bucket: accessed.resource },
      exclusiveFields: true,
      guard,
      dependsOn: [
        guard,
        ...(bucketRequest === undefined ? [] : [bucketRequest]),
        ...(bucketAccessClass === undefined ? [] : [bucketAccessClass]),
      ],
    });
    const request = { ...reference, uid: uidOf(object) };
    const binding = new AccessRequestBinding(
      name,
      {
        kubernetes: installation.target,
        owner: installation.owner,
        resource: scope.resource,
        model: installation.model,
        request,
        ...(bucketRequest === undefined ? {} : { bucketRequest: nameOf(bucketRequest) }),
        bucketInstance: accessed.name,
        bucketResource: accessed.resource,
        ...(bucketAccessClass === undefined
          ? { accessClassName: className }
          : { accessClass: bucketAccessClass.copy() }),
        provisioner,
        ...recipient,
      },
      { parent: this, dependsOn: [object] },
    );
    const copied = toldLater(binding.accessClass);
    const checked = judge(
      scope,
      pulumi.all([
        copied,
        isOfClass ? undefined : provisioner,
        bucketRequest?.protocol,
        bucketRequest?.copiedClass,
      ]),
      ([copy, ofDriver, protocol, ofBucket]) => {
        if (ofDriver !== undefined) {
          requireDriverOf(copy.provisioner, ofDriver, `the BucketAccessClass ${copy.name}`);
        }
        requireSame("protocol", copy, protocol);
        requireSame("provisioner", copy, ofBucket?.provisioner);
        return copy;
      },
    );
    const bucketRequestName =
      bucketRequest === undefined ? toldLater(binding.bucketRequest) : pulumi.output(nameOf(bucketRequest));
    const access = { name: this.accessName, uid: binding.id };
    // That of a class which is looked up is the driver's, as the binding makes sure; a preview knows it.
    const ofAccess = bucketAccessClass === undefined ? provisioner : copied.apply((copy) => copy.provisioner);
    const account = new DriverAccess(
      name,
      {
        driver,
        bucket: accessed.bucket ?? {
          id: accessed.name,
          bucketId: binding.bucketId,
          bucketInfo: binding.bucketInfo,
          driverResource: () => driver,
        },
        name: this.accessName,
        authenticationType: "serviceAccountName" in recipient ? "IAM" : "Key",
        bucketAccessClassName: className,
        parameters: checked.apply(({ parameters }) => parameters),
        policyActions: optional(checked.apply(({ policyActions }) => policyActions ?? undefined)),
        ...("serviceAccountName" in recipient
          ? { serviceAccount: { namespace: this.namespace, name: recipient.serviceAccountName } }
          : {}),
        ...(args.revokeNotFound === undefined ? {} : { revokeNotFound: args.revokeNotFound }),
        objects: inParts<AccessObjects>({
          model: installation.model,
          kubernetes: installation.target,
          owner: installation.owner,
          access: request,
          bucket: { name: accessed.name, uid: "" },
          claim: bucketRequestName,
          secretName: "accessSecretName" in recipient ? recipient.accessSecretName : "",
          ...("serviceAccountName" in recipient ? recipient : {}),
          account: access,
        }),
      },
      { parent: this, dependsOn: [binding], ...ignoring(scope, carriedAs("revokeNotFound")) },
    );
    const keys = judge<readonly IssuedCredential[] | null, Record<string, string>>(
      scope,
      account.issued,
      (issued) => issuedKeys(issued ?? []),
    );
    this.credentials = pulumi.secret(keys);
    this.bucketId = accessed.bucket?.bucketId ?? binding.bucketId;
    const secret =
      "accessSecretName" in recipient
        ? writeSecrets(scope, args, {
            accessSecretName: recipient.accessSecretName,
            request,
            access,
            provisioner: ofAccess,
            account,
            keys: this.credentials,
            connection: pulumi
              .all([copied, binding.protocolFields])
              .apply(([{ protocol }, fields]) => connectionKeys(protocol, fields)),
          })
        : undefined;
    const bound = new BucketBinding(
      name,
      {
        kubernetes: installation.target,
        owner: installation.owner,
        model: installation.model,
        bucket: accessed.name,
        access,
        accessRequest: request,
        bucketRequest: bucketRequestName,
        provisioner: ofAccess,
      },
      { parent: this, dependsOn: [account, ...(secret === undefined ? [] : [secret.source, secret.copy])] },
    );
    // Whoever uses the access waits for all of its parts, and goes before any of them.
    const whenBound = <T>(value: pulumi.Input<T>): pulumi.Output<T> =>
      pulumi.all([pulumi.output(value), bound.id]).apply(([known]) => known as T);
    this.bucketName = whenBound(accessed.name);
    this.secretName = whenBound(
      secret === undefined ? "" : pulumi.all([secret.copy.name, secret.copy.id]).apply(([copy]) => copy),
    );
    this.serviceAccountName = whenBound(
      "serviceAccountName" in recipient ? recipient.serviceAccountName : "",
    );
    this.checksum = whenBound(account.checksum);
    this.registerOutputs({ accessName: this.accessName, secretName: this.secretName });
  }
}

/** Who gets access. */
type Recipient =
  | { readonly accessSecretName: pulumi.Output<string> }
  | { readonly serviceAccountName: pulumi.Output<string> };

/** K07-062: a Secret, or a ServiceAccount. */
function recipientOf(
  scope: Scope,
  { accessSecretName, serviceAccountName }: BucketAccessRequestArgs,
): Recipient {
  const name = (argument: string, value: pulumi.Input<string>) =>
    judge<unknown, string>(scope, value, (text) => referenceNamed(argument, text));
  if (accessSecretName !== undefined && serviceAccountName === undefined) {
    return { accessSecretName: name("accessSecretName", accessSecretName) };
  }
  if (serviceAccountName !== undefined && accessSecretName === undefined) {
    return { serviceAccountName: name("serviceAccountName", serviceAccountName) };
  }
  throw new ProblemError(
    accessSecretName === undefined
      ? "accessSecretName and serviceAccountName are both missing: give one of them"
      : "accessSecretName and serviceAccountName are both given: leave one of them out",
  );
}

/** Name of the class, which is a class of the program or of the cluster. */
function classNameOf(
  scope: Scope,
  { bucketAccessClass, bucketAccessClassName }: BucketAccessRequestArgs,
): pulumi.Output<string> {
  if (bucketAccessClass !== undefined && bucketAccessClassName !== undefined) {
    throw new ProblemError(
      "bucketAccessClass and bucketAccessClassName are both given: leave one of them out",
    );
  }
  if (bucketAccessClass !== undefined) return bucketAccessClass.className;
  if (bucketAccessClassName === undefined) {
    throw new ProblemError(
      "bucketAccessClass and bucketAccessClassName are both missing: give one of them, as there is no default class",
    );
  }
  return judge<unknown, string>(scope, bucketAccessClassName, (text) =>
    referenceNamed("bucketAccessClassName", text),
  );
}

/** The driver that grants, and its name. */
function grantor(
  scope: Scope,
  { driver: given, bucketAccessClass, bucketRequest }: BucketAccessRequestArgs,
): { driver: Driver; provisioner: pulumi.Output<string>; isOfClass: boolean } {
  const { driver, provisioner } = driverFor(scope, given ?? bucketRequest?.driver, bucketAccessClass?.driver);
  if (bucketAccessClass?.driver === driver) {
    return { driver, provisioner: bucketAccessClass.provisioner, isOfClass: true };
  }
  return { driver, provisioner: provisioner ?? nameOfDriver(scope, driver), isOfClass: false };
}

function nameOf({ namespace, requestName }: BucketRequest): {
  namespace: pulumi.Output<string>;
  name: pulumi.Output<string>;
} {
  return { namespace, name: requestName };
}

/** K07-061. */
function requireSameNamespace(namespace: string, ofBucket: string | undefined): void {
  if (ofBucket === undefined || namespace === ofBucket) return;
  throw new ProblemError(
    `namespace is ${JSON.stringify(namespace)}, and the BucketRequest is in ${JSON.stringify(ofBucket)}: give ` +
      `namespace: ${JSON.stringify(ofBucket)}, as access must be requested where the bucket is`,
  );
}

/** K07-067, where it is known: by the class as the request keeps it. */
function requireSame(
  field: "protocol" | "provisioner",
  copy: AccessClassCopy,
  ofBucket: string | undefined,
): void {
  if (ofBucket === undefined || copy[field] === ofBucket) return;
  throw new ProblemError(
    `the BucketAccessClass ${copy.name} has ${field} ${JSON.stringify(copy[field])}, and the bucket has ` +
      `${JSON.stringify(ofBucket)}: give a class of the bucket's ${field}`,
  );
}

/** What the Secrets of an access are made of. */
interface SecretParts {
  readonly accessSecretName: pulumi.Output<string>;
  readonly request: {
    namespace: pulumi.Output<string>;
    name: pulumi.Output<string>;
    uid: pulumi.Output<string>;
  };
  readonly access: { name: pulumi.Output<string>; uid: pulumi.Output<string> };
  readonly provisioner: pulumi.Output<string>;
  readonly account: DriverAccess;
  readonly keys: pulumi.Output<Record<string, string>>;
  readonly connection: pulumi.Output<Record<string, string>>;
}

/** K07-072, K07-073: the Secret in the provisioner's namespace, and its copy where the workload is. */
function writeSecrets(
  scope: Scope,
  { connectionKeys: withConnection = false, secretLabels }: BucketAccessRequestArgs,
  { accessSecretName, request, access, provisioner, account, keys, connection }: SecretParts,
): { source: Secret; copy: Secret } {
  const { component, logicalName, kinds, installation } = scope;
  const { apiVersion } = kinds;
  const common = { kubernetes: installation.target, model: installation.model };
  const options = { parent: component, dependsOn: [account] };
  const source = new Secret(
    `${logicalName}-source`,
    {
      ...common,
      namespace: provisioner.apply(namespaceOfProvisioner),
      name: access.name,
      owner: { apiVersion, kind: kinds.bucketAccess.kind, ...access },
      data: keys,
    },
    options,
  );
  const copy = new Secret(
    logicalName,
    {
      ...common,
      namespace: request.namespace,
      name: accessSecretName,
      owner: { apiVersion, kind: kinds.bucketAccessRequest.kind, name: request.name, uid: request.uid },
      data: withConnection
        ? pulumi.all([connection, keys]).apply(([known, returned]) => ({ ...known, ...returned }))
        : keys,
      labels: secretLabels,
      moves: true,
    },
    { ...options, ...ignoring(scope, { secretLabels: ["labels"] }) },
  );
  return { source, copy };
}
