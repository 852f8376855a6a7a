import * as pulumi from "@pulumi/pulumi";
import { BucketAccess as DriverAccess } from "../../provider/bucket-access/bucket-access";
import { Bucket as DriverBucket } from "../../provider/bucket/bucket";
import type { DeletionPolicy } from "../../provider/bucket/state";
import { createParameters } from "../../provider/models/objectbucket/additional-config";
import type { AdoptedClaim } from "../../provider/models/objectbucket/adopted-claim";
import { brownfieldBucketOf } from "../../provider/models/objectbucket/class-parameters";
import { modelName } from "../../provider/models/objectbucket/kinds";
import { accountNameOf } from "../../provider/models/objectbucket/names";
import type { AccessObjects, BucketObjects } from "../../provider/models/model";
import { inParts, optional, type ObjectScope } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import { toldLater } from "../kubernetes/told-later";
import type { ObjectBucketClaimArgs } from "./claim-args";
import { ofClass } from "./connection";
import type { Granted, Settled } from "./settled-claim";

/** The bucket and the account at the driver. */
export function provision(
  scope: ObjectScope,
  args: ObjectBucketClaimArgs,
  settled: Settled,
  adopted: AdoptedClaim | undefined,
): Granted {
  const bucket = makeBucket(scope, args, settled);
  return settled.options.grantsAtCreate ? issuedWith(bucket) : grant(scope, args, settled, bucket, adopted);
}

function makeBucket(scope: ObjectScope, args: ObjectBucketClaimArgs, settled: Settled): DriverBucket {
  const { component, logicalName } = scope;
  const { claim, id, copy, driver, options } = settled;
  // A class that is looked up is not known in the preview of an update, where the id is.
  const existing =
    options.adopt || args.storageClass === undefined
      ? id.apply(({ isExisting, bucket }) => (isExisting ? bucket : undefined))
      : pulumi.unsecret(copy).apply(({ parameters }) => brownfieldBucketOf(parameters)?.bucketId);
  return new DriverBucket(
    logicalName,
    {
      driver,
      existingBucketId: optional(existing),
      parameters: parametersOf(settled),
      // Nothing is sent for what may be somebody else's: OBC-064.
      parametersChange:
        args.configChange === "resend" && args.onExistingBucket !== "adopt" ? "resend" : "refuse",
      deletionPolicy: pulumi
        .all([pulumi.unsecret(copy), claim.takesBucket])
        .apply(([{ parameters, reclaimPolicy }, takesBucket]): DeletionPolicy => {
          const isKept = options.adopt || takesBucket || brownfieldBucketOf(parameters) !== undefined;
          return isKept ? "Retain" : reclaimPolicy;
        }),
      ...(args.onExistingBucket === "adopt" ? { nameAsId: true } : {}),
      ...(args.protectData === undefined ? {} : { protectData: args.protectData }),
      ...(options.grantsAtCreate && args.revokeNotFound !== undefined
        ? { revokeNotFound: args.revokeNotFound }
        : {}),
      // Nothing is made for a claim that is adopted, so nothing is told of it.
      ...(options.adopt
        ? {}
        : {
            name: optional(id.apply(({ isExisting, bucket }) => (isExisting ? undefined : bucket))),
            objects: inParts<BucketObjects>({ ...objectsOf(scope, settled), claim: settled.reference }),
          }),
    },
    {
      parent: component,
      dependsOn: [claim],
      ...ignoring(scope, carriedAs("protectData", "revokeNotFound")),
    },
  );
}

/** Parameters of create and grant alike: OBC-061. */
function parametersOf({ claim, copy, options }: Settled): pulumi.Output<Record<string, string>> {
  return pulumi
    .all([copy, claim.additionalConfig])
    .apply(([{ parameters }, config]): Record<string, string> => {
      const sent = createParameters(parameters, config);
      return options.emptyOnDelete ? { ...sent, emptyOnDelete: "true" } : sent;
    });
}

/** What the objects of bucket and account have in common. */
function objectsOf({ installation }: ObjectScope, { claim }: Settled) {
  return {
    model: modelName,
    kubernetes: installation.target,
    owner: installation.owner,
    bucket: { name: claim.objectBucketName, uid: "" },
  };
}

/** What a bucket that comes with its account was issued. */
function issuedWith(bucket: DriverBucket): Granted {
  const credentials = toldLater(bucket.credentials);
  const told = (key: string): pulumi.Output<string | null> =>
    pulumi.unsecret(credentials).apply((values) => values[key] ?? null);
  const secret = (key: string): pulumi.Output<string> => credentials.apply((values) => values[key] ?? "");
  return {
    resource: bucket,
    bucketId: bucket.bucketId,
    bucketName: told("bucketName"),
    accountId: told("userName").apply((name) => name ?? ""),
    accessKeyId: secret("accessKeyId"),
    secretAccessKey: secret("secretKey"),
    endpoint: told("endpoint"),
    region: told("region"),
    checksum: bucket.checksum,
  };
}

function grant(
  scope: ObjectScope,
  args: ObjectBucketClaimArgs,
  settled: Settled,
  bucket: DriverBucket,
  adopted: AdoptedClaim | undefined,
): Granted {
  const { component, logicalName } = scope;
  const { claim, id, copy, reference, names } = settled;
  const fallback = pulumi.unsecret(copy).apply(({ parameters }) => ofClass(parameters, "endpoint"));
  const account = new DriverAccess(
    logicalName,
    {
      bucket,
      name: id.apply(accountNameOf),
      authenticationType: "Key",
      protocol: "S3",
      // While it stays, so do the parameters of the account: a change of them is about the bucket.
      bucketAccessClassName: claim.storageClassName,
      parameters: parametersOf(settled),
      endpoint: optional(pulumi.output(args.endpoint ?? fallback)),
      region: optional(
        pulumi.output(
          args.region ?? pulumi.unsecret(copy).apply(({ parameters }) => ofClass(parameters, "region")),
        ),
      ),
      ...(args.revokeNotFound === undefined ? {} : { revokeNotFound: args.revokeNotFound }),
      ...(args.rotation === undefined ? {} : { rotation: args.rotation }),
      ...(adopted === undefined
        ? {}
        : {
            existingAccount: {
              accountId: adopted.accountId,
              accessKeyId: adopted.accessKeyId,
              accessSecretKey: adopted.secretAccessKey,
            },
          }),
      objects: inParts<AccessObjects>({
        ...objectsOf(scope, settled),
        access: reference,
        claim: { namespace: reference.namespace, name: reference.name },
        secretName: names.secretName,
        ...(adopted === undefined ? {} : { adopted: true }),
      }),
    },
    {
      parent: component,
      dependsOn: [bucket],
      ...ignoring(scope, carriedAs("revokeNotFound", "rotation")),
    },
  );
  const given = (value: string | null): string => value ?? "";
  return {
    resource: account,
    bucketId: bucket.bucketId,
    bucketName: settled.options.idsAreNames ? bucket.bucketId : pulumi.output(null),
    accountId: account.accountId,
    accessKeyId: account.accessKeyId.apply(given),
    secretAccessKey: account.accessSecretKey.apply(given),
    endpoint: account.endpoint,
    region: account.region,
    checksum: account.checksum,
  };
}
