import { status } from "@grpc/grpc-js";
import {
  DriverCreateBucketRequest,
  DriverCreateBucketResponse,
  DriverDeleteBucketRequest,
  DriverGrantBucketAccessRequest,
  DriverGrantBucketAccessResponse,
  DriverRevokeBucketAccessRequest,
  type Protocol,
} from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { answers, obligingDriver, paths, s3Secrets } from "../cosi-v1alpha1";
import type { Answer, FakeDriver } from "../fake-driver";

const { accessKeyID = "", accessSecretKey = "", endpoint = "", region = "" } = s3Secrets();
const token = "sv=2025&sig=t0ken-of/azure";
const azure = (expiryTs?: string) => ({
  azure: { accessToken: token, ...(expiryTs === undefined ? {} : { expiryTs }) },
});

/** What a grant answers, by the parameter `reply` of the BucketAccessClass. */
const credentials: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  whole: { s3: s3Secrets() },
  identity: { s3: s3Secrets() },
  spelled: {
    s3: { accessKeyId: accessKeyID, ACCESSSECRETKEY: accessSecretKey, endpoint, region, extra: "x" },
  },
  silent: { s3: { accessKeyID, accessSecretKey } },
  "no-key": { s3: { accessSecretKey, endpoint, region } },
  "no-secret": { s3: { accessKeyID, endpoint, region } },
  none: {},
  gcs: { gcs: { privateKey: accessSecretKey } },
  both: { s3: s3Secrets(), ...azure() },
  "azure-go": azure("2027-01-02 03:04:05.999999999 +0530 IST"),
  "azure-rfc": azure("2027-01-02T03:04:05Z"),
  "azure-absent": azure(),
  "azure-unreadable": azure("next week"),
  "azure-zero": azure("0001-01-01 00:00:00 +0000 UTC"),
};

/** What a create tells of the bucket, by the parameter `reply` of the BucketClass. */
const bucketInfos: Readonly<Record<string, Protocol>> = {
  azure: { type: { $case: "azureBlob", value: { storageAccount: "store" } } },
  empty: { type: undefined },
};

/** The id of a bucket under `reply: other-id`, which is not its name. */
export const otherId = (name: string): string => `store/eu:${name}`;

/** A call of the Provisioner; `bucket` is the id, or the name of one that is created. */
export interface BucketCall {
  readonly rpc: "create" | "grant" | "revoke" | "delete";
  readonly bucket: string;
}

/**
 * A driver that answers creates and grants as the parameter `reply` of their classes says, else with OK.
 *
 * @param refused Values of `reply` of which no grant is allowed, as long as they stand there.
 * @param look Called with each call, which is answered afterwards.
 */
export function replyingDriver(
  refused: ReadonlySet<string>,
  look: (call: BucketCall) => Promise<void>,
): FakeDriver {
  return obligingDriver()
    .on(paths.create, async (body) => {
      const request = DriverCreateBucketRequest.decode(body);
      await look({ rpc: "create", bucket: request.name });
      return created(request);
    })
    .on(paths.grant, async (body) => {
      const request = DriverGrantBucketAccessRequest.decode(body);
      await look({ rpc: "grant", bucket: request.bucketId });
      return granted(request, refused);
    })
    .on(paths.revoke, async (body) => {
      await look({ rpc: "revoke", bucket: DriverRevokeBucketAccessRequest.decode(body).bucketId });
      return answers.revoked();
    })
    .on(paths.delete, async (body) => {
      await look({ rpc: "delete", bucket: DriverDeleteBucketRequest.decode(body).bucketId });
      return answers.deleted();
    });
}

function created({ name, parameters }: DriverCreateBucketRequest): Answer {
  const reply = parameters.get("reply") ?? "";
  if (reply === "other-id") return answers.created(otherId(name));
  const bucketInfo = bucketInfos[reply];
  if (bucketInfo === undefined) return answers.created(name);
  return DriverCreateBucketResponse.encode({ bucketId: name, bucketInfo }).finish();
}

function granted({ name, parameters }: DriverGrantBucketAccessRequest, refused: ReadonlySet<string>): Answer {
  const reply = parameters.get("reply") ?? "whole";
  if (refused.has(reply)) return { code: status.PERMISSION_DENIED, message: "not yet" };
  if (reply === "missing") return { code: status.NOT_FOUND, message: "no such bucket" };
  const entries = Object.entries(credentials[reply] ?? {}).map(
    ([protocol, secrets]) => [protocol, { secrets: new Map(Object.entries(secrets)) }] as const,
  );
  const answer = { accountId: `account-of-${name}`, credentials: new Map(entries) };
  return DriverGrantBucketAccessResponse.encode(answer).finish();
}
