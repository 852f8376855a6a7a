import type { ConnectionSettings } from "../../provider/driver/settings";
import type { DriverReference } from "../../provider/driver-resource/reference";
import { FakeDriver } from "./fake-driver";
import { message } from "./protobuf";
import { quickSettings } from "./settings";

export const paths = {
  create: "/cosi.v1.CosiController/CreateBucket",
  delete: "/cosi.v1.CosiController/DeleteBucket",
  grant: "/cosi.v1.CosiController/GrantBucketAccess",
  revoke: "/cosi.v1.CosiController/RevokeBucketAccess",
} as const;

export const provisioner = "rgw-provisioning/rgw.example.com";

/** Keys of an account, as a driver with keys would issue them. */
export const keys = {
  accessKeyID: "AKJULY",
  accessSecretKey: "july-s3cr3t/key",
  endpoint: "http://127.0.0.1:9",
  region: "eu-1",
};

/** Replies, by hand. */
export const replies = {
  created: (name: string): Buffer =>
    message([1, message([1, name], [2, message([1, message([1, "eu-1"])])], [3, provisioner])]),
  /** One GenericCredentials. */
  granted: (values: Readonly<Record<string, string>> = keys): Buffer =>
    message([1, message([4, message([1, values])])]),
  empty: (): Buffer => Buffer.alloc(0),
};

/** The first field of a request, which is the bucket's name in all of them. */
export function bucketNameIn(body: Buffer): string {
  return body.subarray(2, 2 + (body[1] ?? 0)).toString();
}

/** A driver that says OK to everything, and issues keys. */
export function obligingController(): FakeDriver {
  return new FakeDriver()
    .on(paths.create, (body) => replies.created(bucketNameIn(body)))
    .on(paths.delete, () => replies.empty())
    .on(paths.grant, () => replies.granted())
    .on(paths.revoke, () => replies.empty());
}

/** Settings with short waits for a driver of this contract. */
export function controllerSettings(endpoint: string): ConnectionSettings {
  return { ...quickSettings(endpoint), contract: "cosi-2020-07" };
}

export function controllerReference(
  endpoint: string,
  changes: Partial<DriverReference> = {},
): DriverReference {
  return {
    ...controllerSettings(endpoint),
    driverName: provisioner,
    seed: "00112233445566778899aabbccddeeff",
    ...changes,
  };
}
