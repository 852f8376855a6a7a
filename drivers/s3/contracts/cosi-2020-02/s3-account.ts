import {
  S3SignatureVersion,
  type GrantBucketAccessResponse_ProtocolS3,
} from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import type { Grant } from "../../core/accounts";

/** An account with its key, as a create and a grant tell it. */
export function s3Account({ accountId, key }: Grant): GrantBucketAccessResponse_ProtocolS3 {
  return {
    AccessKeyId: key.id,
    SecretKey: key.secret,
    StsToken: "",
    UserName: accountId,
    SignatureVersion: S3SignatureVersion.V4,
  };
}
