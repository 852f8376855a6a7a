import { provider as accessProvider } from "../../../provider/bucket-access/provider";
import { provider as bucketProvider } from "../../../provider/bucket/provider";
import type { DriverReference } from "../../../provider/driver-resource/reference";
import { provider as configMapProvider } from "../../../provider/kubernetes/config-map";
import { provider as secretProvider } from "../../../provider/kubernetes/secret";
import type { KubernetesTarget } from "../../../provider/kubernetes/target";
import {
  createParameters,
  defaultAllowedConfig,
} from "../../../provider/models/objectbucket/additional-config";
import { additionalStateOf } from "../../../provider/models/objectbucket/additional-state";
import { provider as claimProvider } from "../../../provider/models/objectbucket/claim";
import { readClaimId } from "../../../provider/models/objectbucket/claim-id";
import { labelsOf } from "../../../provider/models/objectbucket/claim-object";
import type { ClaimClass } from "../../../provider/models/objectbucket/class-parameters";
import { endpointOf } from "../../../provider/models/objectbucket/endpoint";
import {
  apiVersion,
  finalizer,
  modelName,
  objectBucketClaimKind,
  provisionerPrefix,
} from "../../../provider/models/objectbucket/kinds";
import { accountNameOf, objectBucketNameOf } from "../../../provider/models/objectbucket/names";
import { provider as bindingProvider } from "../../../provider/models/objectbucket/object-bucket-binding";
import { configMapKeys, keySets, secretKeys } from "../../../components/secrets/object-bucket-keys";
import { stackId } from "../../integration/kubernetes/cluster";
import { owner } from "../../integration/kubernetes/objects";
import type { ProgramResource } from "../faults/small-stack";
import type { Properties } from "../lifecycle";
import { driverReference } from "../settings";

/** Where a claim's objects and its driver are. */
export interface ClaimPlace {
  readonly namespace: string;
  readonly target: KubernetesTarget;
  /** Endpoint of the driver. */
  readonly endpoint: string;
}

/** What a claim asks for beside its name. */
export interface ClaimOptions {
  readonly storageClass?: Partial<ClaimClass>;
  /** Other inputs of the Claim: `storageClass: null` for one that is looked up. */
  readonly inputs?: Properties;
  /** Other fields of the reference to the driver. */
  readonly driver?: Partial<DriverReference>;
  /** Other inputs of the bucket. */
  readonly bucket?: Properties;
  /** Other inputs of the account. */
  readonly access?: Properties;
}

/** A class of the program as a claim keeps it. */
export function claimClass(place: ClaimPlace, changes: Partial<ClaimClass> = {}): ClaimClass {
  return {
    name: `gold-${place.namespace}`,
    reclaimPolicy: "Delete",
    parameters: { tier: "gold" },
    ...changes,
  };
}

/** The resources that a claim's component has Pulumi make, in their order: each but the class, which is no part of it. */
export function claimProgram(
  place: ClaimPlace,
  name: string,
  options: ClaimOptions = {},
): readonly ProgramResource[] {
  const { namespace, target, endpoint } = place;
  const kubernetes = { ...target, stackId };
  const driver = driverReference(endpoint, options.driver);
  const storageClass = claimClass(place, options.storageClass);
  const brownfield = storageClass.parameters["bucketName"];
  const common = { kubernetes, owner, resource: name };
  const inputs: Properties = {
    ...common,
    namespace,
    name,
    labels: { team: "shop" },
    annotations: { note: "of the user" },
    storageClass,
    storageClassName: storageClass.name,
    provisioner: `${provisionerPrefix}${driver.driverName}`,
    driverName: driver.driverName,
    ...(brownfield === undefined ? { generateBucketName: name } : {}),
    naming: "prefixAndUid",
    preferBucketName: false,
    brownfield: false,
    allowedAdditionalConfig: [...defaultAllowedConfig],
    allowOperatorProvisioner: false,
    objectBucketName: objectBucketNameOf({ namespace, name }),
    secretName: name,
    configMapName: name,
    dialect: "rook",
    adopt: false,
    takesBucket: false,
    ...options.inputs,
  };
  type Outputs = (of: string) => Properties;
  type Id = (of: string) => string;
  const reference = (id: Id) => {
    const { uid } = readClaimId(id("claim"));
    return { namespace, name, uid };
  };
  const parameters = (outputs: Outputs) => {
    const { parameters: ofClass } = outputs("claim")["storageClass"] as ClaimClass;
    return createParameters(ofClass, outputs("claim")["additionalConfig"] as Record<string, string> | null);
  };
  const objects = (outputs: Outputs) => ({
    model: modelName,
    kubernetes,
    owner,
    bucket: { name: outputs("claim")["objectBucketName"], uid: "" },
  });
  const data = (id: Id) => ({
    kubernetes,
    namespace,
    owner: {
      apiVersion,
      kind: objectBucketClaimKind.kind,
      ...without(reference(id)),
      blockOwnerDeletion: true,
    },
    labels: labelsOf({ team: "shop" }, String(inputs["provisioner"])),
    annotations: inputs["annotations"],
    finalizer,
  });
  const connection = (outputs: Outputs, id: Id) => ({
    endpoint: endpointOf(String(outputs("access")["endpoint"])),
    bucketName: brownfield ?? readClaimId(id("claim")).bucket,
    region: String(outputs("access")["region"]),
    subRegion: "",
  });
  return [
    { name: "claim", provider: claimProvider, inputs: () => inputs },
    {
      name: "bucket",
      provider: bucketProvider,
      inputs: (outputs, id) => {
        const { isExisting, bucket } = readClaimId(id("claim"));
        const { reclaimPolicy } = outputs("claim")["storageClass"] as ClaimClass;
        return {
          driver,
          logicalName: name,
          ...(isExisting ? { existingBucketId: bucket } : { name: bucket }),
          parameters: parameters(outputs),
          deletionPolicy: isExisting || outputs("claim")["takesBucket"] === true ? "Retain" : reclaimPolicy,
          parametersChange: "refuse",
          objects: { ...objects(outputs), claim: reference(id) },
          ...options.bucket,
        };
      },
    },
    {
      name: "access",
      provider: accessProvider,
      inputs: (outputs, id) => ({
        driver,
        logicalName: name,
        bucketName: outputs("bucket")["name"],
        bucketId: outputs("bucket")["bucketId"],
        bucketInfo: outputs("bucket")["bucketInfo"],
        name: accountNameOf(reference(id)),
        authenticationType: "Key",
        protocol: "S3",
        bucketAccessClassName: storageClass.name,
        parameters: parameters(outputs),
        objects: {
          ...objects(outputs),
          access: reference(id),
          claim: { namespace, name },
          secretName: inputs["secretName"],
        },
        ...options.access,
      }),
    },
    {
      name: "secret",
      provider: secretProvider,
      inputs: (outputs, id) => ({
        ...data(id),
        name: inputs["secretName"],
        data: secretKeys(keySets, {
          accessKeyId: String(outputs("access")["accessKeyId"]),
          secretAccessKey: String(outputs("access")["accessSecretKey"]),
        }),
        model: modelName,
      }),
    },
    {
      name: "configMap",
      provider: configMapProvider,
      inputs: (outputs, id) => ({
        ...data(id),
        name: inputs["configMapName"],
        data: configMapKeys(keySets, connection(outputs, id)),
      }),
    },
    {
      name: "binding",
      provider: bindingProvider,
      inputs: (outputs, id) => {
        const { endpoint: where, bucketName, region, subRegion } = connection(outputs, id);
        const { host, port, ssl } = where;
        const { parameters: ofClass, reclaimPolicy } = outputs("claim")["storageClass"] as ClaimClass;
        return {
          ...common,
          claim: reference(id),
          name: outputs("claim")["objectBucketName"],
          labels: inputs["labels"],
          annotations: inputs["annotations"],
          provisioner: inputs["provisioner"],
          storageClassName: storageClass.name,
          reclaimPolicy,
          endpoint: {
            host,
            port,
            ssl,
            bucketName,
            region,
            subRegion,
            additionalConfig: outputs("claim")["additionalConfig"] ?? {},
          },
          additionalState: additionalStateOf(
            {
              driverName: driver.driverName,
              bucketId: String(outputs("bucket")["bucketId"]),
              accountId: String(outputs("access")["accountId"]),
            },
            ofClass,
          ),
          dialect: inputs["dialect"],
          adopt: false,
        };
      },
    },
  ];
}

function without({ name, uid }: { readonly name: string; readonly uid: string }): {
  name: string;
  uid: string;
} {
  return { name, uid };
}
