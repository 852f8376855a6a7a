import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteUserPolicyCommand,
  GetUserPolicyCommand,
  ListUserPoliciesCommand,
  PutUserPolicyCommand,
} from "@aws-sdk/client-iam";
import { ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { StoreAdmin } from "./store-admin";

/** An IAM user that somebody other than the driver has made, with a key. */
export class StoreUser {
  private constructor(
    private readonly admin: StoreAdmin,
    readonly name: string,
    readonly keyId: string,
    readonly s3: S3Client,
  ) {}

  static async make(admin: StoreAdmin, name: string): Promise<StoreUser> {
    await admin.iam.send(new CreateUserCommand({ UserName: name }));
    const { AccessKey: key } = await admin.iam.send(new CreateAccessKeyCommand({ UserName: name }));
    if (!key?.AccessKeyId || !key.SecretAccessKey) throw new Error("the store told no key");
    return new StoreUser(
      admin,
      name,
      key.AccessKeyId,
      admin.clientWith(key.AccessKeyId, key.SecretAccessKey),
    );
  }

  /** Lets the user into a bucket, by a policy of its own. */
  async letInto(bucket: string): Promise<void> {
    const arn = `arn:aws:s3:::${bucket}`;
    const PolicyDocument = JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Action: ["s3:ListBucket", "s3:PutObject"], Resource: [arn, `${arn}/*`] },
      ],
    });
    await this.admin.iam.send(
      new PutUserPolicyCommand({ UserName: this.name, PolicyName: `own-${bucket}`, PolicyDocument }),
    );
  }

  /** Whether the user may list a bucket and write to it. */
  async mayUse(bucket: string): Promise<boolean> {
    try {
      await this.s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      await this.s3.send(new PutObjectCommand({ Bucket: bucket, Key: this.name, Body: "text" }));
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === "AccessDenied") return false;
      throw error;
    }
  }

  /** The inline policies, by name. */
  async policies(): Promise<Readonly<Record<string, string | undefined>>> {
    const policies: Record<string, string | undefined> = {};
    const { PolicyNames = [] } = await this.admin.iam.send(
      new ListUserPoliciesCommand({ UserName: this.name }),
    );
    for (const PolicyName of PolicyNames) {
      const { PolicyDocument } = await this.admin.iam.send(
        new GetUserPolicyCommand({ UserName: this.name, PolicyName }),
      );
      policies[PolicyName] = PolicyDocument;
    }
    return policies;
  }

  async remove(): Promise<void> {
    await this.admin.iam.send(new DeleteAccessKeyCommand({ UserName: this.name, AccessKeyId: this.keyId }));
    for (const PolicyName of Object.keys(await this.policies())) {
      await this.admin.iam.send(new DeleteUserPolicyCommand({ UserName: this.name, PolicyName }));
    }
    await this.admin.removeUser(this.name);
  }
}
