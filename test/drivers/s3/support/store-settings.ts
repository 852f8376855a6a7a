import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  type LifecycleRule,
  type S3Client,
} from "@aws-sdk/client-s3";

/** What stands at a bucket of a real store, each undefined where there is none. */
export interface StoreSettings {
  readonly policy: unknown;
  readonly lifecycle: LifecycleRule[] | undefined;
  /** Bytes; only SeaweedFS has it. */
  readonly quota: number | undefined;
}

/** Reads the settings of a bucket. */
export async function storeSettingsOf(s3: S3Client, bucket: string): Promise<StoreSettings> {
  const { Policy: policy } =
    (await unlessNone(s3.send(new GetBucketPolicyCommand({ Bucket: bucket })))) ?? {};
  const { Rules: lifecycle } =
    (await unlessNone(s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket })))) ?? {};
  return {
    policy: policy === undefined ? undefined : JSON.parse(policy),
    lifecycle,
    quota: await quotaOf(s3, bucket),
  };
}

/** The answer to a request for SeaweedFS's quota, which the SDK has no command for. */
async function quotaOf(s3: S3Client, bucket: string): Promise<number | undefined> {
  const command = new GetBucketPolicyCommand({ Bucket: bucket });
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request as object, { query: { "seaweedfs-quota": "" } });
      return next(args);
    },
    { step: "build" },
  );
  const { Policy: text = "{}" } = await s3.send(command);
  const quota = JSON.parse(text) as { quota_size?: number; quota_enabled?: boolean };
  return quota.quota_enabled === true ? quota.quota_size : undefined;
}

async function unlessNone<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof Error && /^NoSuch(BucketPolicy|LifecycleConfiguration)$/.test(error.name)) {
      return undefined;
    }
    throw error;
  }
}
