import type { BucketInfo } from "../../contracts/contract";
import { addressOutput } from "../../credentials/address-output";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import type { Request, RequestName } from "./names";
import { withSecretCopy } from "./request-state";
import type { AccessClassCopy, ProtocolFields } from "./specs";
import { stateFormat } from "../../dynamic/state-format";

export interface AccessRequestInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  model: string;
  /** The BucketAccessRequest. */
  request: Request;
  /** The BucketRequest through which it is bound; looked up where the program has none. */
  bucketRequest?: RequestName | null;
  /** Name of the Bucket object. */
  bucketInstance: string;
  /** What a change of makes it another bucket, although its object has the same name. */
  bucketResource: string;
  /** The class of the program; kept while its name stays. */
  accessClass?: AccessClassCopy | null;
  /** A class of the cluster, by name. */
  accessClassName?: string | null;
  /** Name of the driver that is given. */
  provisioner?: string | null;
  accessSecretName?: string | null;
  serviceAccountName?: string | null;
}

export interface AccessRequestOutputs extends AccessRequestInputs {
  /** The backend's name of the bucket. */
  bucketId: string;
  bucketInfo: BucketInfo | null;
  /** The member of the Bucket's protocol, as it was when access was asked for. */
  protocolFields: ProtocolFields;
  /** UID of the BucketAccess. */
  accessUid: string;
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

export const accessRequestInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "model",
  "request",
  "bucketRequest",
  "bucketInstance",
  "bucketResource",
  "accessClass",
  "accessClassName",
  "provisioner",
  "accessSecretName",
  "serviceAccountName",
] as const satisfies readonly (keyof AccessRequestInputs)[];

/** What the state keeps of a request for access. */
export function accessRequestOutputs(outputs: AccessRequestOutputs): AccessRequestOutputs {
  const { owner, resource, model, request, bucketInstance, bucketResource } = outputs;
  const all = {
    owner,
    resource,
    model,
    request,
    bucketInstance,
    bucketResource,
    kubernetes: targetOutput(outputs.kubernetes),
    bucketRequest: outputs.bucketRequest ?? null,
    accessClass: withSecretCopy(outputs.accessClass ?? null),
    accessClassName: outputs.accessClassName ?? null,
    provisioner: outputs.provisioner ?? null,
    accessSecretName: outputs.accessSecretName ?? null,
    serviceAccountName: outputs.serviceAccountName ?? null,
    bucketId: outputs.bucketId,
    bucketInfo: addressOutput(outputs.bucketInfo),
    protocolFields: addressOutput(outputs.protocolFields),
    accessUid: outputs.accessUid,
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
