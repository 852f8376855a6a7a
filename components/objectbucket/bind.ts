import * as pulumi from "@pulumi/pulumi";
import { ConfigMap } from "../../provider/kubernetes/config-map";
import { Secret } from "../../provider/kubernetes/secret-resource";
import { additionalStateOf } from "../../provider/models/objectbucket/additional-state";
import type { AdoptedClaim } from "../../provider/models/objectbucket/adopted-claim";
import { labelsOf } from "../../provider/models/objectbucket/claim-object";
import {
  apiVersion,
  finalizer,
  modelName,
  objectBucketClaimKind,
} from "../../provider/models/objectbucket/kinds";
import { ObjectBucketBinding } from "../../provider/models/objectbucket/object-bucket-binding";
import type { ObjectScope } from "../kubernetes/custom-resource";
import { carriedAs, ignoring } from "../kubernetes/ignored-changes";
import {
  configMapKeys,
  extraConfigMapKeys,
  extraSecretKeys,
  presentSecretKeys,
  secretKeys,
  type BucketConnection,
} from "../secrets/object-bucket-keys";
import type { ObjectBucketClaimArgs } from "./claim-args";
import type { Granted, Settled } from "./settled-claim";

/** Secret, ConfigMap, ObjectBucket, and the claim's phase, in this order. */
export function bind(
  scope: ObjectScope,
  args: ObjectBucketClaimArgs,
  { claim, reference, copy, names, driver, options }: Settled,
  {
    granted,
    connection,
    adopted,
  }: { granted: Granted; connection: pulumi.Output<BucketConnection>; adopted: AdoptedClaim | undefined },
): ObjectBucketBinding {
  const { component, logicalName, resource, installation } = scope;
  const { target: kubernetes, owner } = installation;
  const metadata = ignoring(scope, carriedAs("annotations", "labels"));
  const shown = pulumi.unsecret(copy);
  const { labels = {}, annotations } = args;
  const common = {
    kubernetes,
    namespace: reference.namespace,
    owner: {
      apiVersion,
      kind: objectBucketClaimKind.kind,
      name: reference.name,
      uid: reference.uid,
      blockOwnerDeletion: true,
    },
    // Those of a claim that is adopted are as they were.
    ...(adopted === undefined
      ? {
          labels: pulumi
            .all([labels, claim.provisioner])
            .apply(([own, provisioner]) => labelsOf(own, provisioner)),
          ...(annotations === undefined ? {} : { annotations }),
        }
      : {}),
    finalizer,
  };
  const sets = options.keySets;
  const keys = pulumi.all([granted.accessKeyId, granted.secretAccessKey]);
  const { extraKeys = {} } = args;
  const secret = new Secret(
    logicalName,
    {
      ...common,
      name: names.secretName,
      data: pulumi
        .all([keys, connection, adopted?.secretData])
        .apply(([[accessKeyId, secretAccessKey], known, found]) => ({
          ...presentSecretKeys(found ?? {}, { accessKeyId, secretAccessKey }),
          ...secretKeys(sets, { accessKeyId, secretAccessKey }),
          ...extraSecretKeys(extraKeys.secret, { accessKeyId, secretAccessKey }, known),
        })),
      model: modelName,
    },
    { parent: component, dependsOn: [granted.resource], ...metadata },
  );
  const configMap = new ConfigMap(
    logicalName,
    {
      ...common,
      name: names.configMapName,
      data: pulumi.all([connection, adopted?.configMapData]).apply(([known, found]) => ({
        ...found,
        ...configMapKeys(sets, known),
        ...extraConfigMapKeys(extraKeys.configMap, known),
      })),
    },
    { parent: component, dependsOn: [granted.resource], ...metadata },
  );
  return new ObjectBucketBinding(
    logicalName,
    {
      kubernetes,
      owner,
      resource,
      claim: reference,
      name: claim.objectBucketName,
      ...(args.labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      provisioner: claim.provisioner,
      storageClassName: claim.storageClassName,
      reclaimPolicy: shown.apply(({ reclaimPolicy }) => reclaimPolicy),
      endpoint: pulumi
        .all([connection, claim.additionalConfig])
        .apply(([{ endpoint, ...known }, config]) => ({
          host: endpoint.host,
          port: endpoint.port,
          ssl: endpoint.ssl,
          bucketName: known.bucketName,
          region: known.region,
          subRegion: known.subRegion,
          additionalConfig: config ?? {},
        })),
      additionalState:
        adopted?.additionalState ??
        pulumi
          .all([driver.driverName, granted.bucketId, granted.accountId, shown])
          .apply(([driverName, bucketId, accountId, { parameters }]) =>
            additionalStateOf({ driverName, bucketId, accountId }, parameters),
          ),
      dialect: args.dialect ?? "rook",
      adopt: options.adopt,
    },
    { parent: component, dependsOn: [secret, configMap], ...metadata },
  );
}
