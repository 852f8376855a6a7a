import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import {
  AccessMode,
  CosiControllerClient,
  DataProtocol,
  type CreateBucketRequest,
  type CreateBucketResponse,
  type DeleteBucketRequest,
  type DeleteBucketResponse,
  type GrantBucketAccessRequest,
  type GrantBucketAccessResponse,
  type RevokeBucketAccessRequest,
  type RevokeBucketAccessResponse,
} from "../../../../gen/cosi-2020-07/cosi/v1/cosi";

/** A request with its maps as a test writes them; what is left out is S3 and empty. */
type Fields<Request> = {
  [Key in keyof Request]?: Request[Key] extends Map<string, string>
    ? Readonly<Record<string, string>>
    : Request[Key];
};

/** A plain gRPC client of the contract cosi-2020-07, with no logic of the product in it. */
export class ControllerClient {
  readonly #client: CosiControllerClient;

  constructor(socketPath: string) {
    this.#client = new CosiControllerClient(`unix://${socketPath}`, credentials.createInsecure());
  }

  create(bucketName: string, fields: Fields<CreateBucketRequest> = {}): Promise<CreateBucketResponse> {
    const { driverParameters, secrets, ...rest } = fields;
    return promised((done) =>
      this.#client.createBucket(
        {
          bucketName,
          requestProtocol: DataProtocol.S3,
          providerContext: undefined,
          accessMode: AccessMode.MODE_UNSPECIFIED,
          ...rest,
          driverParameters: toMap(driverParameters),
          secrets: toMap(secrets),
        },
        new Metadata({ waitForReady: true }),
        done,
      ),
    );
  }

  delete(bucketName: string, fields: Fields<DeleteBucketRequest> = {}): Promise<DeleteBucketResponse> {
    const { driverParameters, secrets, ...rest } = fields;
    return promised((done) =>
      this.#client.deleteBucket(
        {
          bucketName,
          requestProtocol: DataProtocol.S3,
          providerContext: undefined,
          ...rest,
          driverParameters: toMap(driverParameters),
          secrets: toMap(secrets),
        },
        done,
      ),
    );
  }

  grant(
    bucketName: string,
    fields: Fields<GrantBucketAccessRequest> = {},
  ): Promise<GrantBucketAccessResponse> {
    const { permissions, secrets, ...rest } = fields;
    return promised((done) =>
      this.#client.grantBucketAccess(
        {
          bucketName,
          requestProtocol: DataProtocol.S3,
          providerContext: undefined,
          ...rest,
          permissions: toMap(permissions),
          secrets: toMap(secrets),
        },
        done,
      ),
    );
  }

  revoke(
    bucketName: string,
    fields: Fields<RevokeBucketAccessRequest> = {},
  ): Promise<RevokeBucketAccessResponse> {
    const { permissions, secrets, ...rest } = fields;
    return promised((done) =>
      this.#client.revokeBucketAccess(
        {
          bucketName,
          requestProtocol: DataProtocol.S3,
          providerContext: undefined,
          serviceAccount: undefined,
          ...rest,
          permissions: toMap(permissions),
          secrets: toMap(secrets),
        },
        done,
      ),
    );
  }

  close(): void {
    this.#client.close();
  }
}

function toMap(values: Readonly<Record<string, string>> = {}): Map<string, string> {
  return new Map(Object.entries(values));
}

function promised<T>(call: (done: (error: ServiceError | null, response: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
  });
}
