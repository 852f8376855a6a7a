import { GetBucketPolicyCommand, PutBucketPolicyCommand, type S3Client } from "@aws-sdk/client-s3";
import { refusalOf } from "../store-error";
import type { Quota } from "./bucket-settings";
import { jsonObject } from "./json-object";
import { setting, wrongSetting } from "./setting-refusal";

/** SeaweedFS's own part of the S3 API: `GET` and `PUT /bucket?seaweedfs-quota`, with a document in JSON. */
const SUBRESOURCE = { "seaweedfs-quota": "" } as const;

/**
 * Quotas of buckets. Neither S3 nor IAM has any; SeaweedFS has one, in bytes, at the address of the bucket, signed as every
 * request is, and enforces it about once a minute.
 */
export class BucketQuotas {
  constructor(private readonly s3: S3Client) {}

  /**
   * Sets the quota of a bucket, or ends it.
   *
   * @throws DriverError `invalid-argument` if the store has no quotas.
   */
  async set(bucket: string, { key, bytes }: Quota): Promise<void> {
    if (!(await this.#areKnown(bucket))) {
      if (bytes === 0n) return;
      throw wrongSetting(
        key,
        "this driver's API (S3 and IAM) has no quotas, and the store is not one that has them outside that API (SeaweedFS): leave it " +
          "out, and set the quota at the store itself",
      );
    }
    const document = `{"quota_size":${bytes},"quota_unit":"B","quota_enabled":${bytes > 0n}}`;
    const put = new PutBucketPolicyCommand({ Bucket: bucket, Policy: document });
    put.middlewareStack.add(toQuota, { step: "build", name: "toQuota" });
    await setting(key, this.s3.send(put));
  }

  /**
   * Whether the store knows quotas. It must be asked before one is sent: to any other store the same request without a word
   * that it knows is a create of the bucket.
   */
  async #areKnown(bucket: string): Promise<boolean> {
    const get = new GetBucketPolicyCommand({ Bucket: bucket });
    get.middlewareStack.add(toQuota, { step: "build", name: "toQuota" });
    try {
      const { Policy: document = "" } = await this.s3.send(get);
      return typeof jsonObject(document)?.["quota_size"] === "number";
    } catch (error) {
      if (refusalOf(error) === undefined) throw error;
      return false;
    }
  }
}

/** The requests for a policy, whose bodies are plain text in both directions, as requests for a quota. */
function toQuota<Input extends object, Output>(
  next: (args: { input: Input; request: unknown }) => Promise<Output>,
): (args: { input: Input; request: unknown }) => Promise<Output> {
  return (args) => {
    const { request } = args;
    if (typeof request !== "object" || request === null) throw new Error("the SDK has built no request");
    return next({ ...args, request: Object.assign(request, { query: SUBRESOURCE }) });
  };
}
