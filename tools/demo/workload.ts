import { GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from "@aws-sdk/client-s3";

/** What a workload finds in the file `BucketInfo` of its Secret. */
interface BucketInfo {
  readonly spec: {
    readonly bucketID: string;
    readonly secretS3: {
      readonly endpoint: string;
      readonly region: string;
      readonly accessKeyID: string;
      readonly accessSecretKey: string;
    };
  };
}

/** An application that knows nothing but its Secret. */
export class Workload {
  readonly bucket: string;
  readonly #s3: S3Client;

  constructor(secret: Readonly<Record<string, string>>) {
    const { spec } = JSON.parse(secret["BucketInfo"] ?? "") as BucketInfo;
    const { endpoint, region, accessKeyID, accessSecretKey } = spec.secretS3;
    this.bucket = spec.bucketID;
    this.#s3 = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: accessKeyID, secretAccessKey: accessSecretKey },
    });
  }

  async write(key: string, text: string): Promise<void> {
    await this.#s3.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: text }));
  }

  async read(key: string): Promise<string> {
    const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
    return (await Body?.transformToString()) ?? "";
  }

  async delete(key: string): Promise<void> {
    const { DeleteObjectCommand } = await import("@aws-sdk/client-s3");
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  /** The store's answer when the workload tries to write into another bucket. @throws Error if it is let in. */
  async refusalAt(bucket: string): Promise<string> {
    try {
      await this.#s3.send(new PutObjectCommand({ Bucket: bucket, Key: "intruder", Body: "x" }));
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403) return error.name;
      throw error;
    }
    throw new Error(`the credentials for ${this.bucket} open ${bucket} too`);
  }

  close(): void {
    this.#s3.destroy();
  }
}
