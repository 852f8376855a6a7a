import {
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  type LifecycleRule,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { BucketQuotas } from "./bucket-quotas";
import type { BucketSettings } from "./bucket-settings";
import { setting } from "./setting-refusal";

/** What a delete is answered where there is nothing to delete. Source: S3 API reference, "List of error codes". */
const NOTHING_THERE: readonly string[] = ["NoSuchBucketPolicy", "NoSuchLifecycleConfiguration"];

/** Writes settings of a bucket, each by one request that may be repeated. Of one that is not given no request is sent. */
export class SettingsWriter {
  constructor(
    private readonly s3: S3Client,
    private readonly quotas: BucketQuotas,
  ) {}

  /**
   * Sets what stands at the bucket itself; its owner is `BucketOwners`' part.
   *
   * @throws DriverError `invalid-argument` with key and answer, for what the store refuses.
   */
  async write(bucket: string, { policy, lifecycle, quota }: BucketSettings): Promise<void> {
    if (lifecycle !== undefined) await setting("bucketLifecycle", this.#writeLifecycle(bucket, lifecycle));
    if (quota !== undefined) await this.quotas.set(bucket, quota);
    // The last one, as it may deny all that would come after it.
    if (policy !== undefined) await setting("bucketPolicy", this.#writePolicy(bucket, policy));
  }

  async #writePolicy(bucket: string, policy: string): Promise<void> {
    if (policy === "") {
      await unlessNothingThere(this.s3.send(new DeleteBucketPolicyCommand({ Bucket: bucket })));
    } else {
      await this.s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: policy }));
    }
  }

  async #writeLifecycle(bucket: string, rules: readonly LifecycleRule[]): Promise<void> {
    if (rules.length === 0) {
      await unlessNothingThere(this.s3.send(new DeleteBucketLifecycleCommand({ Bucket: bucket })));
    } else {
      const LifecycleConfiguration = { Rules: [...rules] };
      await this.s3.send(
        new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }),
      );
    }
  }
}

async function unlessNothingThere(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof Error && NOTHING_THERE.includes(error.name))) throw error;
  }
}
