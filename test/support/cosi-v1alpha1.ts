import {
  DriverCreateBucketRequest,
  DriverCreateBucketResponse,
  DriverDeleteBucketResponse,
  DriverGetInfoResponse,
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessResponse,
  S3SignatureVersion,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { FakeDriver, type Answer } from "./fake-driver";

export const paths = {
  getInfo: "/cosi.v1alpha1.Identity/DriverGetInfo",
  create: "/cosi.v1alpha1.Provisioner/DriverCreateBucket",
  delete: "/cosi.v1alpha1.Provisioner/DriverDeleteBucket",
  grant: "/cosi.v1alpha1.Provisioner/DriverGrantBucketAccess",
  revoke: "/cosi.v1alpha1.Provisioner/DriverRevokeBucketAccess",
} as const;

export const driverName = "fake.example.com";

/** Secrets that the fake driver hands out, to look for them where they must not be. */
export const secretKey = "s3cr3t/key+of=account";

export const answers = {
  info: (name: string = driverName): Answer =>
    DriverGetInfoResponse.encode(DriverGetInfoResponse.fromPartial({ name })).finish(),
  created: (bucketId: string): Answer =>
    DriverCreateBucketResponse.encode(
      DriverCreateBucketResponse.fromPartial({
        bucketId,
        bucketInfo: {
          type: { $case: "s3", value: { region: "eu-1", signatureVersion: S3SignatureVersion.S3V4 } },
        },
      }),
    ).finish(),
  deleted: (): Answer => DriverDeleteBucketResponse.encode({}).finish(),
  granted: (accountId: string, secrets: Record<string, string> = s3Secrets(), protocol = "s3"): Answer =>
    DriverGrantBucketAccessResponse.encode({
      accountId,
      credentials: new Map([[protocol, { secrets: new Map(Object.entries(secrets)) }]]),
    }).finish(),
  revoked: (): Answer => DriverRevokeBucketAccessResponse.encode({}).finish(),
};

export function s3Secrets(): Record<string, string> {
  return {
    accessKeyID: "AKEXAMPLE",
    accessSecretKey: secretKey,
    endpoint: "http://127.0.0.1:9",
    region: "eu-1",
  };
}

/**
 * A driver that says OK to everything, with the names it is sent as ids.
 *
 * @param fake What it answers through. @default under the names of cosi.v1alpha1
 */
export function obligingDriver(name: string = driverName, fake = new FakeDriver()): FakeDriver {
  return fake
    .on(paths.getInfo, () => answers.info(name))
    .on(paths.create, (body) => answers.created(DriverCreateBucketRequest.decode(body).name))
    .on(paths.delete, () => answers.deleted())
    .on(paths.grant, (body) => answers.granted(DriverGrantBucketAccessRequest.decode(body).name))
    .on(paths.revoke, () => answers.revoked());
}
