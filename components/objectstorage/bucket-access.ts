import * as pulumi from "@pulumi/pulumi";
import {
  BucketAccess as DriverAccess,
  type BucketAccessRotation,
  type ExistingBucketAccount,
} from "../../provider/bucket-access/bucket-access";
import type { CredentialProtocol } from "../../provider/credentials/credentials";
import { api } from "../../provider/models/objectstorage-v1alpha1/api";
import { serviceAccountWarning } from "../../provider/models/objectstorage-v1alpha1/service-account";
import type { RevokeNotFound } from "../../provider/run/revoke-outcome";
import { requireSameNamespace, writeAccess } from "../claimed/access-object";
import { requireSameDriver } from "../claimed/driver-names";
import { ComponentResource } from "../kubernetes/component-resource";
import { nameFromUid, optional, type MetadataArgs } from "../kubernetes/custom-resource";
import type { ClusterArgs } from "../kubernetes/installation";
import { requireOneOf } from "../kubernetes/one-of";
import { ProblemError } from "../kubernetes/problem";
import { given, requireGiven } from "../kubernetes/required";
import { judge, orInvalid } from "../kubernetes/scope";
import { bucketInfo, bucketInfoNames, type BucketInfoName } from "../secrets/bucket-info";
import type { GrantedAccess } from "../secrets/granted-access";
import { extraKeys, extraKeysNames, type ExtraKeys } from "../secrets/extra-keys";
import type { BucketAccessClass } from "./bucket-access-class";
import type { BucketClaim } from "./bucket-claim";
import { scopeOf } from "./installation";
import { accessProtocol, credentialProtocol } from "./normalise";

/** BucketInfo has no place for credentials of other protocols: COSI v0.2.2 writes none. */
const secretProtocols: CredentialProtocol[] = ["S3", "Azure"];

/** Access to a claim's bucket, with credentials in a Secret. */
export interface BucketAccessArgs extends MetadataArgs, ClusterArgs {
  /** Namespace of the claim. */
  namespace: pulumi.Input<string>;
  bucketClaim: BucketClaim;
  bucketAccessClass: BucketAccessClass;
  /** Name of the Secret that the credentials are written to. It must not exist yet. */
  credentialsSecretName: pulumi.Input<string>;
  /**
   * Protocol of the credentials, one of the claim's.
   *
   * @default the protocol of the credentials that the driver returns
   */
  protocol?: pulumi.Input<string>;
  /**
   * ServiceAccount that gets access; required with authentication type `IAM`.
   *
   * @default none
   */
  serviceAccountName?: pulumi.Input<string>;
  /**
   * URL of the store, if the driver does not report it.
   *
   * @default what the driver reports; if neither is known, `""` in the Secret, with a warning
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the store, if the driver does not report it.
   *
   * @default what the driver reports; if neither is known, `""` in the Secret, with a warning
   */
  region?: pulumi.Input<string>;
  /**
   * Keys in the Secret in addition to `BucketInfo`: `aws-environment`, for use with `envFrom`.
   *
   * @default none
   */
  extraKeys?: ExtraKeys[];
  /**
   * What `spec.bucketName` in `BucketInfo` is: the Bucket object's name (`object`), as in COSI, or the backend's id (`id`),
   * by which clients reach the bucket. `spec.bucketID` has the id in either case.
   *
   * @default "object"
   */
  bucketInfoName?: BucketInfoName;
  /**
   * Labels of the Secret.
   *
   * @default none
   */
  secretLabels?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Whether NOT_FOUND counts as done (`ignore`) when the driver answers it to the revoke. Some drivers also answer it
   * when the administrator's secret is missing; the key would then stay alive.
   *
   * @default "fail"
   */
  revokeNotFound?: pulumi.Input<RevokeNotFound>;
  /**
   * When to replace the account with a new one. The Secret is updated in place; the old account is revoked once everything
   * that depends on the access has been updated. The object lists its accounts in the annotation `pulumi-cosi/accounts`.
   *
   * @default none: the account stays for the life of the access
   */
  rotation?: BucketAccessRotation;
  /**
   * Takes over an existing account as it is: its credentials go into the Secret, and nothing is sent to the driver. It is
   * never revoked.
   *
   * @default none: the driver grants an account
   */
  existingAccount?: ExistingBucketAccount;
}

/** What a program says about an access, with what its claim and class say. */
interface AccessWish {
  readonly namespace: string;
  readonly claimNamespace: string;
  readonly protocols: string[];
  readonly protocol: string | undefined;
  readonly authenticationType: string;
  readonly serviceAccountName: string | undefined;
}

/** An access that has passed the checks. */
interface CheckedAccess {
  readonly protocol: string | undefined;
  readonly serviceAccount: string | null;
  readonly warnings: string[];
}

/**
 * A BucketAccess (objectstorage.k8s.io/v1alpha1): an account of its own, and the Secret with its credentials. A change of
 * any argument replaces it and revokes the old account first; the exceptions are labels, annotations, rotation,
 * `revokeNotFound`, and the arguments for the Secret's content.
 *
 * @example
 * ```ts
 * const access = new cosi.objectstorage.BucketAccess("photos-rw", {
 *   namespace: "shop", bucketClaim: photos, bucketAccessClass: keys, credentialsSecretName: "photos-creds",
 * });
 * ```
 */
export class BucketAccess extends ComponentResource {
  /** @internal */
  static readonly __pulumiType = "cosi:objectstorage:BucketAccess";

  /** The driver's id of the account. */
  readonly accountId: pulumi.Output<string>;
  /** Name of the Secret, known once the Secret is written. */
  readonly secretName: pulumi.Output<string>;
  /** S3: access key. Secret. */
  readonly accessKeyId: pulumi.Output<string | null>;
  /** S3: secret key. Secret. */
  readonly accessSecretKey: pulumi.Output<string | null>;
  /** URL at which the workload reaches the store. */
  readonly endpoint: pulumi.Output<string | null>;
  /** Region of the store. */
  readonly region: pulumi.Output<string | null>;
  /** Azure: shared access signature. Secret. */
  readonly accessToken: pulumi.Output<string | null>;
  /** Azure: when the token expires, RFC 3339. */
  readonly expiry: pulumi.Output<string | null>;
  /** When the driver granted the account, RFC 3339. */
  readonly grantedAt: pulumi.Output<string | null>;
  /** Changes with the credentials: put it in an annotation of a pod template, and a rotation rolls out the pods. */
  readonly checksum: pulumi.Output<string | null>;

  constructor(name: string, args: BucketAccessArgs, opts?: pulumi.ComponentResourceOptions) {
    super(BucketAccess.__pulumiType, name, opts);
    const scope = scopeOf(this, name, args, opts, [
      "endpoint",
      "region",
      "revokeNotFound",
      "rotation",
      "secretLabels",
    ]);
    const { bucketClaim, bucketAccessClass } = args;
    orInvalid(scope, () => {
      requireGiven(args, "namespace", "bucketClaim", "bucketAccessClass", "credentialsSecretName");
      requireOneOf("bucketInfoName", args.bucketInfoName, bucketInfoNames);
      for (const keys of args.extraKeys ?? []) requireOneOf("extraKeys", keys, extraKeysNames);
    });
    const credentialsSecretName = judge<string, string>(scope, args.credentialsSecretName, (secret) =>
      given("credentialsSecretName", secret),
    );
    const namespace = pulumi.output(args.namespace);
    const checked = judge<AccessWish, CheckedAccess>(
      scope,
      {
        namespace,
        claimNamespace: bucketClaim.namespace,
        protocols: bucketClaim.protocols,
        protocol: args.protocol,
        authenticationType: bucketAccessClass.authenticationType,
        serviceAccountName: args.serviceAccountName,
      },
      ({ authenticationType, serviceAccountName, ...wish }) => {
        requireSameNamespace(wish.namespace, wish.claimNamespace, "claim");
        const protocol = accessProtocol(wish.protocol, wish.protocols);
        requirePlace(protocol.value, authenticationType);
        const serviceAccount = serviceAccountOf(authenticationType, serviceAccountName);
        const warnings = serviceAccount === null ? [] : [serviceAccountWarning(serviceAccount)];
        return { protocol: protocol.value, serviceAccount, warnings: [...protocol.warnings, ...warnings] };
      },
    );
    const drivers = judge<[string, string], unknown>(
      scope,
      [bucketAccessClass.driverName, bucketClaim.driverName],
      ([ofClass, ofBucket]) => {
        requireSameDriver(ofClass, ofBucket, { accessClass: "bucketAccessClass", bucket: "bucket" });
      },
    );
    const protocol = checked.apply((known) => known.protocol);

    const bucketInfoName = args.bucketInfoName ?? "object";
    const { account, secretName, checksum } = writeAccess(scope, {
      api,
      namespace,
      name: pulumi.output(args.name ?? name),
      args,
      claim: bucketClaim,
      claimName: bucketClaim.claimName,
      accessClass: bucketAccessClass,
      credentialsSecretName,
      spec: {
        bucketClaimName: bucketClaim.claimName,
        bucketAccessClassName: bucketAccessClass.className,
        credentialsSecretName,
        ...(args.protocol === undefined ? {} : { protocol }),
        ...(args.serviceAccountName === undefined ? {} : { serviceAccountName: args.serviceAccountName }),
      },
      // The claim's name stays when it is replaced, or its bucket; the bucket's name does not.
      identity: { bucketName: bucketClaim.bucket.id },
      warnings: pulumi.all([checked, drivers]).apply(([known]) => known.warnings),
      objects: {
        bucketInfoName,
        secretProtocols,
        serviceAccountName: checked.apply((known) => known.serviceAccount),
      },
      grant: (objects, uid, options) =>
        new DriverAccess(
          name,
          {
            bucket: bucketClaim.bucket,
            name: nameFromUid("ba-", uid),
            authenticationType: bucketAccessClass.authenticationType,
            bucketAccessClassName: bucketAccessClass.className,
            parameters: bucketAccessClass.parameters.apply((known) => known ?? {}),
            ...(args.protocol === undefined
              ? {}
              : { protocol: optional(protocol.apply(credentialProtocol)) }),
            ...(args.endpoint === undefined ? {} : { endpoint: args.endpoint }),
            ...(args.region === undefined ? {} : { region: args.region }),
            ...(args.revokeNotFound === undefined ? {} : { revokeNotFound: args.revokeNotFound }),
            ...(args.rotation === undefined ? {} : { rotation: args.rotation }),
            ...(args.existingAccount === undefined ? {} : { existingAccount: args.existingAccount }),
            objects,
          },
          options,
        ),
      data: ({ authenticationType, credentials }, uid) => {
        const { bucketName, bucketId } = bucketClaim;
        const granted = { accessUid: uid, bucketName, bucketId, authenticationType, credentials };
        return judge<GrantedAccess, Record<string, string>>(scope, granted, (access) => ({
          ...bucketInfo(access, { bucketInfoName }),
          ...extraKeys(args.extraKeys ?? [], access),
        }));
      },
    });
    this.accountId = account.accountId;
    this.secretName = secretName;
    this.accessKeyId = account.accessKeyId;
    this.accessSecretKey = account.accessSecretKey;
    this.endpoint = account.endpoint;
    this.region = account.region;
    this.accessToken = account.accessToken;
    this.expiry = account.expiry;
    this.grantedAt = account.grantedAt;
    this.checksum = checksum;
    this.registerOutputs({ accountId: this.accountId, secretName: this.secretName });
  }
}

/** The backend would issue keys that have no place in the Secret; an identity of the platform has no keys. */
function requirePlace(protocol: string | undefined, authenticationType: string): void {
  if (protocol !== "GCP" || authenticationType !== "Key") return;
  throw new ProblemError(
    'protocol is "GCP", and the class has authenticationType Key: BucketInfo has a place for keys of S3 and Azure only; ' +
      "give one of these protocols, or a class with authenticationType IAM",
  );
}

/** OS1-028: the ServiceAccount that an identity of the platform is for. */
function serviceAccountOf(authenticationType: string, serviceAccountName: string | undefined): string | null {
  if (authenticationType !== "IAM") return null;
  if (serviceAccountName !== undefined && serviceAccountName !== "") return serviceAccountName;
  throw new ProblemError(
    "serviceAccountName is missing: the class has authenticationType IAM, which requires it",
  );
}
