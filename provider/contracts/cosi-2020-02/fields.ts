import {
  S3SignatureVersion,
  type CreateBucketResponse,
  type DeleteBucketRequest,
  type GrantBucketAccessRequest,
  type GrantBucketAccessResponse,
  type RevokeBucketAccessRequest,
} from "../../../gen/cosi-2020-02/cosi/v1/cosi";
import type { IssuedCredential, Protocol } from "../contract";

/** Fields of the contract's messages by their names in lower camel case; those without a value are left out. */
export type Values = IssuedCredential["values"];

/** The form that the values of a protocol have. */
export const kindOf: Readonly<Record<Protocol, Exclude<IssuedCredential["kind"], "generic">>> = {
  S3: "s3",
  Azure: "azure",
  GCS: "gcs",
};

/** The member of a oneof, whichever message it is in. */
type Case = NonNullable<CreateBucketResponse["Protocol"]>["$case"];

/** The one that a protocol has in every oneof of the contract. */
export const caseOf: Readonly<Record<Protocol, Case>> = { S3: "S3", Azure: "AzureBlob", GCS: "Gcs" };

/** What a create told: the bucket, and the account that came with it. */
export function readCreated(told: NonNullable<CreateBucketResponse["Protocol"]>): Values {
  switch (told.$case) {
    case "S3": {
      const { BucketName, Region, Endpoint, Authentication } = told.value;
      const bucket = { bucketName: BucketName, region: Region, endpoint: Endpoint };
      return nonEmpty({ ...bucket, ...accountOf(Authentication && { $case: "S3", value: Authentication }) });
    }
    case "Gcs": {
      const { BucketName, ProjectId, Authentication } = told.value;
      const bucket = { bucketName: BucketName, projectId: ProjectId };
      return nonEmpty({ ...bucket, ...accountOf(Authentication && { $case: "Gcs", value: Authentication }) });
    }
    case "AzureBlob": {
      const { ContainerName, Authentication } = told.value;
      const account = accountOf(Authentication && { $case: "AzureBlob", value: Authentication });
      return nonEmpty({ containerName: ContainerName, ...account });
    }
  }
}

/** What a grant told: the account, and nothing of the bucket. */
export function readGranted(told: NonNullable<GrantBucketAccessResponse["Protocol"]>): Values {
  return nonEmpty(accountOf(told));
}

/** What the program knows of a bucket that is there, as a driver would have told it. Other keys are left out. */
export function readIdentifier(protocol: Protocol, identifier: Readonly<Record<string, string>>): Values {
  const { bucketName = "", containerName = "", storageAccountName = "" } = identifier;
  switch (protocol) {
    case "S3": {
      const {
        region = "",
        endpoint = "",
        accessKeyId = "",
        userName = "",
        signatureVersion = "",
      } = identifier;
      return nonEmpty({ bucketName, region, endpoint, accessKeyId, userName, signatureVersion });
    }
    case "GCS": {
      const { projectId = "", serviceAccount = "" } = identifier;
      return nonEmpty({ bucketName, projectId, serviceAccountName: serviceAccount });
    }
    case "Azure":
      return nonEmpty({ containerName, storageAccountName });
  }
}

/** The key of the bucket's name among the values of a protocol. */
export function nameKeyOf(protocol: Protocol): "bucketName" | "containerName" {
  return protocol === "Azure" ? "containerName" : "bucketName";
}

/** Bucket and account, as all calls for a bucket that exists name them. A grant has no field for a key's name. */
type Named = NonNullable<DeleteBucketRequest["Protocol"]> &
  NonNullable<RevokeBucketAccessRequest["RequestProtocol"]> &
  NonNullable<GrantBucketAccessRequest["Protocol"]>;

/** @param bucketId The bucket's name, where the values do not have it. */
export function writeNamed(protocol: Protocol, bucketId: string, values: Values): Named {
  const field = (name: string): string => values[name] ?? "";
  const bucketName = values[nameKeyOf(protocol)] ?? bucketId;
  switch (protocol) {
    case "S3":
      return {
        $case: "S3",
        value: {
          BucketName: bucketName,
          Region: field("region"),
          Endpoint: field("endpoint"),
          AccessKeyId: field("accessKeyId"),
          UserName: field("userName"),
          SignatureVersion: writeVersion(field("signatureVersion")),
        },
      };
    case "GCS":
      return {
        $case: "Gcs",
        value: {
          BucketName: bucketName,
          ProjectId: field("projectId"),
          PrivateKeyName: field("privateKeyName"),
          ServiceAccountName: field("serviceAccountName"),
        },
      };
    case "Azure":
      return {
        $case: "AzureBlob",
        value: { ContainerName: bucketName, StorageAccountName: field("storageAccountName") },
      };
  }
}

/** A create tells of an account by the same fields as a grant. */
function accountOf(told: GrantBucketAccessResponse["Protocol"]): Record<string, string> {
  switch (told?.$case) {
    case "S3": {
      const { AccessKeyId, SecretKey, StsToken, UserName, SignatureVersion } = told.value;
      return {
        accessKeyId: AccessKeyId,
        secretKey: SecretKey,
        stsToken: StsToken,
        userName: UserName,
        signatureVersion: readVersion(SignatureVersion),
      };
    }
    case "Gcs": {
      const { ServiceAccountName, PrivateKeyName, PrivateKey } = told.value;
      return {
        serviceAccountName: ServiceAccountName,
        privateKeyName: PrivateKeyName,
        privateKey: PrivateKey,
      };
    }
    case "AzureBlob": {
      const { StorageAccountName, AccountKey, SasToken } = told.value;
      return { storageAccountName: StorageAccountName, accountKey: AccountKey, sasToken: SasToken };
    }
    case undefined:
      return {};
  }
}

/** Empty for a driver that does not tell, and for a number of a later release. */
function readVersion(version: S3SignatureVersion): string {
  if (version === S3SignatureVersion.V2) return "V2";
  return version === S3SignatureVersion.V4 ? "V4" : "";
}

function writeVersion(version: string): S3SignatureVersion {
  if (version === "V2") return S3SignatureVersion.V2;
  return version === "V4" ? S3SignatureVersion.V4 : S3SignatureVersion.VERSION_UNSPECIFIED;
}

function nonEmpty(fields: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
