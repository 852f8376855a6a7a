import { credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import {
  AccessMode,
  DataProtocol,
  DeleteBucketRequest_BucketRetainPolicy as RetainPolicy,
  DynamicBucketHandlerClient,
  S3SignatureVersion,
  StaticBucketHandlerClient,
  type CreateBucketRequest,
  type CreateBucketResponse_ProtocolS3,
  type DeleteBucketRequest,
  type DeleteBucketRequest_ProtocolS3,
  type GrantBucketAccessRequest,
  type GrantBucketAccessResponse_ProtocolS3,
  type RevokeBucketAccessRequest,
} from "../../../../gen/cosi-2020-02/cosi/v1/cosi";

/** A request with its map as a test writes it; what is left out is S3 and empty. */
type Fields<Request> = {
  [Key in keyof Request]?: Request[Key] extends Map<string, string>
    ? Readonly<Record<string, string>>
    : Request[Key];
};

/** A plain gRPC client of the contract cosi-2020-02, with no logic of the product in it. */
export class HandlersClient {
  readonly #buckets: DynamicBucketHandlerClient;
  readonly #accounts: StaticBucketHandlerClient;

  constructor(socketPath: string) {
    const address = `unix://${socketPath}`;
    this.#buckets = new DynamicBucketHandlerClient(address, credentials.createInsecure());
    this.#accounts = new StaticBucketHandlerClient(address, credentials.createInsecure());
  }

  /** @param metadata What the caller says beside the message. */
  async create(
    RequestBucketName: string,
    { DriverParameters, ...fields }: Fields<CreateBucketRequest> = {},
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<CreateBucketResponse_ProtocolS3> {
    const request = {
      RequestBucketName,
      RequestProtocol: DataProtocol.S3,
      AccessMode: AccessMode.RW,
      ...fields,
      DriverParameters: toMap(DriverParameters),
    };
    return s3Of(await promised((done) => this.#buckets.createBucket(request, toMetadata(metadata), done)));
  }

  async delete(
    named: Partial<DeleteBucketRequest_ProtocolS3>,
    { DriverParameters, ...fields }: Fields<DeleteBucketRequest> = {},
  ): Promise<void> {
    const request = {
      RetainPolicy: RetainPolicy.DELETE,
      AccessMode: AccessMode.RW,
      Protocol: s3(named),
      ...fields,
      DriverParameters: toMap(DriverParameters),
    };
    await promised((done) => this.#buckets.deleteBucket(request, done));
  }

  /** @param metadata What the caller says beside the message. */
  async grant(
    BucketName: string,
    { DriverParameters, ...fields }: Fields<GrantBucketAccessRequest> = {},
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<GrantBucketAccessResponse_ProtocolS3> {
    const request = {
      AccessMode: AccessMode.RW,
      Protocol: s3({ BucketName }),
      ...fields,
      DriverParameters: toMap(DriverParameters),
    };
    return s3Of(
      await promised((done) => this.#accounts.grantBucketAccess(request, toMetadata(metadata), done)),
    );
  }

  async revoke(
    named: Partial<DeleteBucketRequest_ProtocolS3>,
    { DriverParameters, ...fields }: Fields<RevokeBucketAccessRequest> = {},
  ): Promise<void> {
    const request = {
      AccessMode: AccessMode.RW,
      RequestProtocol: s3(named),
      ...fields,
      DriverParameters: toMap(DriverParameters),
    };
    await promised((done) => this.#accounts.revokeBucketAccess(request, done));
  }

  close(): void {
    this.#buckets.close();
    this.#accounts.close();
  }
}

function s3(named: Partial<DeleteBucketRequest_ProtocolS3>): {
  $case: "S3";
  value: DeleteBucketRequest_ProtocolS3;
} {
  const empty = {
    BucketName: "",
    Region: "",
    Endpoint: "",
    AccessKeyId: "",
    UserName: "",
    SignatureVersion: S3SignatureVersion.VERSION_UNSPECIFIED,
  };
  return { $case: "S3", value: { ...empty, ...named } };
}

function s3Of<Told>({
  Protocol: told,
}: {
  Protocol?: { $case: "S3"; value: Told } | { $case: "AzureBlob" | "Gcs" } | undefined;
}): Told {
  if (told?.$case === "S3") return told.value;
  throw new Error(`the reply is of protocol ${told?.$case ?? "none"}`);
}

function toMap(values: Readonly<Record<string, string>> = {}): Map<string, string> {
  return new Map(Object.entries(values));
}

function toMetadata(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata({ waitForReady: true });
  for (const [key, value] of Object.entries(values)) metadata.set(key, value);
  return metadata;
}

function promised<T>(call: (done: (error: ServiceError | null, response: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
  });
}
