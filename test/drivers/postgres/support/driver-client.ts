import { credentials, Metadata } from "@grpc/grpc-js";
import {
  AuthenticationType,
  type DriverCreateDeploymentResponse,
  type DriverDeleteDeploymentResponse,
  type DriverGetDeploymentStatusResponse,
  type DriverGetInfoResponse,
  type DriverGrantDeploymentAccessResponse,
  type DriverRevokeDeploymentAccessResponse,
  IdentityClient,
  ProvisionerClient,
} from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { ownerMetadata } from "../../../../provider/driver/call/owner";
import { type Params, promised, within } from "../../common/calls";

/** A plain gRPC client of a driver, with no logic of the product in it. */
export class DriverClient {
  readonly #identity: IdentityClient;
  readonly #provisioner: ProvisionerClient;
  readonly #metadata = new Metadata();

  /** @param owner - for whom the client asks. */
  constructor(socketPath: string, owner?: string) {
    const address = `unix://${socketPath}`;
    this.#identity = new IdentityClient(address, credentials.createInsecure());
    this.#provisioner = new ProvisionerClient(address, credentials.createInsecure());
    if (owner !== undefined) this.#metadata.set(ownerMetadata, owner);
  }

  getInfo(): Promise<DriverGetInfoResponse> {
    return promised((done) => this.#identity.driverGetInfo({}, new Metadata({ waitForReady: true }), done));
  }

  create(name: string, params: Params = {}, deadlineMs?: number): Promise<DriverCreateDeploymentResponse> {
    const request = { name, parameters: new Map(Object.entries(params)) };
    return promised((done) =>
      this.#provisioner.driverCreateDeployment(request, this.#metadata, within(deadlineMs), done),
    );
  }

  delete(deploymentId: string, context: Params = {}): Promise<DriverDeleteDeploymentResponse> {
    const request = { deploymentId, deleteContext: new Map(Object.entries(context)) };
    return promised((done) => this.#provisioner.driverDeleteDeployment(request, done));
  }

  grant(
    deploymentId: string,
    name: string,
    params: Params = {},
    authenticationType = AuthenticationType.Key,
  ): Promise<DriverGrantDeploymentAccessResponse> {
    const request = { deploymentId, name, authenticationType, parameters: new Map(Object.entries(params)) };
    return promised((done) => this.#provisioner.driverGrantDeploymentAccess(request, this.#metadata, done));
  }

  revoke(
    deploymentId: string,
    accountId: string,
    context: Params = {},
  ): Promise<DriverRevokeDeploymentAccessResponse> {
    const request = { deploymentId, accountId, revokeAccessContext: new Map(Object.entries(context)) };
    return promised((done) => this.#provisioner.driverRevokeDeploymentAccess(request, done));
  }

  status(deploymentId: string): Promise<DriverGetDeploymentStatusResponse> {
    return promised((done) => this.#provisioner.driverGetDeploymentStatus({ deploymentId }, done));
  }

  close(): void {
    this.#identity.close();
    this.#provisioner.close();
  }
}
