import type { ConnectionSettings } from "../../provider/driver/settings";
import type { DriverReference } from "../../provider/driver-resource/reference";
import { FakeDriver } from "./fake-driver";
import { message } from "./protobuf";
import { quickSettings } from "./settings";

export const paths = {
  create: "/cosi.v1.DynamicBucketHandler/CreateBucket",
  delete: "/cosi.v1.DynamicBucketHandler/DeleteBucket",
  grant: "/cosi.v1.StaticBucketHandler/GrantBucketAccess",
  revoke: "/cosi.v1.StaticBucketHandler/RevokeBucketAccess",
} as const;

export const provisioner = "rgw.example.com";

/** An account of S3 as a driver would issue it; its secrets are in no other text. */
export const account = {
  accessKeyId: "AKFEBRUARY",
  secretKey: "february-s3cr3t/key",
  stsToken: "february-t0ken",
  userName: "february-user",
  signatureVersion: "V4",
};

/** Where the bucket is, as a driver would tell it. */
export const place = { region: "eu-1", endpoint: "https://s3.eu-1.example.com" };

/** `AuthenticationData` of S3, which is also what a grant tells. */
const authentication = (): Buffer =>
  message(
    [1, account.accessKeyId],
    [2, account.secretKey],
    [3, account.stsToken],
    [4, account.userName],
    [5, 2],
  );

/** Replies, by hand. */
export const replies = {
  created: (bucketName: string): Buffer =>
    message([3, message([1, bucketName], [2, place.region], [3, place.endpoint], [4, authentication()])]),
  granted: (): Buffer => message([3, authentication()]),
  empty: (): Buffer => Buffer.alloc(0),
};

/** The first field of a create, which is the name that is asked for. */
export function bucketNameIn(body: Buffer): string {
  return body.subarray(2, 2 + (body[1] ?? 0)).toString();
}

/** A driver that says OK to everything, and issues the account. */
export function obligingHandlers(): FakeDriver {
  return new FakeDriver()
    .on(paths.create, (body) => replies.created(bucketNameIn(body)))
    .on(paths.delete, () => replies.empty())
    .on(paths.grant, () => replies.granted())
    .on(paths.revoke, () => replies.empty());
}

/** Settings with short waits for a driver of this contract. */
export function handlerSettings(endpoint: string): ConnectionSettings {
  return { ...quickSettings(endpoint), contract: "cosi-2020-02" };
}

export function handlerReference(endpoint: string, changes: Partial<DriverReference> = {}): DriverReference {
  return {
    ...handlerSettings(endpoint),
    driverName: provisioner,
    seed: "00112233445566778899aabbccddeeff",
    ...changes,
  };
}
