import {
  DriverCreateBucketRequest,
  DriverDeleteBucketRequest,
  DriverGetInfoRequest,
  DriverGrantBucketAccessRequest,
  DriverRevokeBucketAccessRequest,
  IdentityService,
  ProvisionerService,
  type DriverCreateBucketResponse,
  type DriverDeleteBucketResponse,
  type DriverGetInfoResponse,
  type DriverGrantBucketAccessResponse,
  type DriverRevokeBucketAccessResponse,
} from "../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import {
  DriverGetDeploymentStatusRequest,
  ProvisionerService as DeploymentProvisionerService,
  type DriverGetDeploymentStatusResponse,
} from "../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { ContractName, Verb } from "../provider/contracts/contract";
import { method, type GeneratedMethod } from "../provider/contracts/generated-method";
import { renamed, type WireNames } from "../provider/contracts/v1alpha1-form";

/** One RPC of the contract, as bytes. */
export interface Rpc<Request, Reply> {
  readonly contract: ContractName;
  readonly name: string;
  readonly path: string;
  /** Full names of the messages. */
  readonly requestType: string;
  readonly replyType: string;
  /** Fields that are left out are not on the wire. */
  encode(fields: Partial<Request>): Uint8Array;
  decode(bytes: Uint8Array): Reply;
}

/** The RPCs of a contract, whatever it calls them. */
export interface Rpcs {
  readonly getInfo: Rpc<DriverGetInfoRequest, DriverGetInfoResponse>;
  readonly create: Rpc<DriverCreateBucketRequest, DriverCreateBucketResponse>;
  readonly delete: Rpc<DriverDeleteBucketRequest, DriverDeleteBucketResponse>;
  readonly grant: Rpc<DriverGrantBucketAccessRequest, DriverGrantBucketAccessResponse>;
  readonly revoke: Rpc<DriverRevokeBucketAccessRequest, DriverRevokeBucketAccessResponse>;
  /** An extension of the Deployment Interface. */
  readonly status: Rpc<DriverGetDeploymentStatusRequest, DriverGetDeploymentStatusResponse>;
}

interface Partials<Request> {
  fromPartial(fields: Partial<Request>): Request;
}

/** The RPCs under the names of a contract. Source: COSI specification and Deployment Interface, RPC Interface. */
export function rpcsOf(contract: ContractName, names: WireNames): Rpcs {
  const rpc = <Request, Reply>(
    verb: Verb,
    generated: GeneratedMethod<Request, Reply>,
    request: Partials<Request>,
  ): Rpc<Request, Reply> => {
    const { path, requestType, replyType, encode, decode } = renamed(method(verb, generated), names);
    return {
      contract,
      name: path.slice(path.lastIndexOf("/") + 1),
      path,
      requestType,
      replyType,
      encode: (fields) => encode(request.fromPartial(fields)),
      decode,
    };
  };
  return {
    getInfo: rpc("identify", IdentityService.driverGetInfo, DriverGetInfoRequest),
    create: rpc("create", ProvisionerService.driverCreateBucket, DriverCreateBucketRequest),
    delete: rpc("delete", ProvisionerService.driverDeleteBucket, DriverDeleteBucketRequest),
    grant: rpc("grant", ProvisionerService.driverGrantBucketAccess, DriverGrantBucketAccessRequest),
    revoke: rpc("revoke", ProvisionerService.driverRevokeBucketAccess, DriverRevokeBucketAccessRequest),
    status: rpc(
      "status",
      DeploymentProvisionerService.driverGetDeploymentStatus,
      DriverGetDeploymentStatusRequest,
    ),
  };
}
