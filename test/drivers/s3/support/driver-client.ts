import { credentials, Metadata, status } from "@grpc/grpc-js";
import {
  AuthenticationType,
  type DriverCreateBucketResponse,
  type DriverDeleteBucketResponse,
  type DriverGetInfoResponse,
  type DriverGrantBucketAccessResponse,
  type DriverRevokeBucketAccessResponse,
  IdentityClient,
  ProvisionerClient,
} from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isServiceError, type Params, promised, refusal, within } from "../../common/calls";

export { type Params, refusal };

/** A plain gRPC client of a driver, with no logic of the product in it. */
export class DriverClient {
  readonly #identity: IdentityClient;
  readonly #provisioner: ProvisionerClient;

  constructor(socketPath: string) {
    const address = `unix://${socketPath}`;
    this.#identity = new IdentityClient(address, credentials.createInsecure());
    this.#provisioner = new ProvisionerClient(address, credentials.createInsecure());
  }

  getInfo(): Promise<DriverGetInfoResponse> {
    return promised((done) => this.#identity.driverGetInfo({}, new Metadata({ waitForReady: true }), done));
  }

  create(name: string, params: Params = {}, deadlineMs?: number): Promise<DriverCreateBucketResponse> {
    const request = { name, parameters: new Map(Object.entries(params)) };
    return promised((done) =>
      this.#provisioner.driverCreateBucket(request, new Metadata(), within(deadlineMs), done),
    );
  }

  delete(bucketId: string, context: Params = {}, deadlineMs?: number): Promise<DriverDeleteBucketResponse> {
    const request = { bucketId, deleteContext: new Map(Object.entries(context)) };
    return promised((done) =>
      this.#provisioner.driverDeleteBucket(request, new Metadata(), within(deadlineMs), done),
    );
  }

  /** Deletes as a caller does that has no hurry: again as long as the driver says that it is still at work. */
  async deleteToTheEnd(bucketId: string): Promise<void> {
    for (let aborted = true; aborted;) {
      aborted = await this.delete(bucketId).then(
        () => false,
        (error: unknown) => {
          if (isServiceError(error) && error.code === status.ABORTED) {
            return true;
          }
          throw error;
        },
      );
    }
  }

  grant(
    bucketId: string,
    name: string,
    params: Params = {},
    authenticationType = AuthenticationType.Key,
  ): Promise<DriverGrantBucketAccessResponse> {
    const request = { bucketId, name, authenticationType, parameters: new Map(Object.entries(params)) };
    return promised((done) => this.#provisioner.driverGrantBucketAccess(request, done));
  }

  revoke(
    bucketId: string,
    accountId: string,
    context: Params = {},
  ): Promise<DriverRevokeBucketAccessResponse> {
    const request = { bucketId, accountId, revokeAccessContext: new Map(Object.entries(context)) };
    return promised((done) => this.#provisioner.driverRevokeBucketAccess(request, done));
  }

  close(): void {
    this.#identity.close();
    this.#provisioner.close();
  }
}
