import {
  type CredentialDetails,
  type DriverCreateBucketResponse,
  type ProvisionerServer,
  S3SignatureVersion,
} from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Driver } from "../../core/driver";
import type { AccessKey } from "../../core/iam-users";
import { checkContext, checkParameters, ownerIn } from "../../core/parameters";
import { quote } from "../../../common/text";
import { checkAuthenticationType } from "../../../common/calls/authentication-type";
import type { Calls } from "../../../common/calls/calls";
import { checkMapSize, checkRequired } from "../../../common/calls/fields";

/** The service `cosi.v1alpha1.Provisioner`. */
export function provisionerServer(driver: Driver, calls: Calls): ProvisionerServer {
  return {
    driverCreateBucket: calls.unary({
      rpc: "DriverCreateBucket",
      attempt: ({ name }) => `create bucket ${quote(name)}`,
      subject: ({ name }) => ({ bucket: quote(name) }),
      answer: async ({ name, parameters }, owner) => {
        checkRequired("name", name);
        checkMapSize("parameters", parameters);
        checkParameters("parameters", parameters);
        await driver.buckets.create(name, parameters, owner);
        return { bucketId: name, bucketInfo: s3Info(driver) };
      },
    }),

    driverDeleteBucket: calls.unary({
      rpc: "DriverDeleteBucket",
      attempt: ({ bucketId }) => `delete bucket ${quote(bucketId)}`,
      subject: ({ bucketId }) => ({ bucket: quote(bucketId) }),
      answer: async ({ bucketId, deleteContext }) => {
        checkRequired("bucket_id", bucketId);
        checkMapSize("delete_context", deleteContext);
        checkContext("delete_context", deleteContext);
        await driver.buckets.delete(bucketId, ownerIn(deleteContext));
        return {};
      },
    }),

    driverGrantBucketAccess: calls.unary({
      rpc: "DriverGrantBucketAccess",
      attempt: ({ bucketId, name }) => `grant account ${quote(name)} access to bucket ${quote(bucketId)}`,
      subject: ({ bucketId, name }) => ({ bucket: quote(bucketId), account: quote(name) }),
      answer: async ({ bucketId, name, authenticationType, parameters }, owner) => {
        checkRequired("bucket_id", bucketId);
        checkRequired("name", name);
        checkAuthenticationType(authenticationType);
        checkMapSize("parameters", parameters);
        checkParameters("parameters", parameters);
        const { accountId, key } = await driver.accounts.grant(bucketId, name, parameters, owner);
        return { accountId, credentials: new Map([["s3", s3Credentials(driver, key)]]) };
      },
    }),

    driverRevokeBucketAccess: calls.unary({
      rpc: "DriverRevokeBucketAccess",
      attempt: ({ bucketId, accountId }) =>
        `revoke the access of account ${quote(accountId)} to bucket ${quote(bucketId)}`,
      subject: ({ bucketId, accountId }) => ({ bucket: quote(bucketId), account: quote(accountId) }),
      answer: async ({ bucketId, accountId, revokeAccessContext }) => {
        checkRequired("bucket_id", bucketId);
        checkRequired("account_id", accountId);
        checkMapSize("revoke_access_context", revokeAccessContext);
        checkContext("revoke_access_context", revokeAccessContext);
        await driver.accounts.revoke(bucketId, accountId);
        return {};
      },
    }),
  };
}

function s3Info({ region }: Driver): DriverCreateBucketResponse["bucketInfo"] {
  return { type: { $case: "s3", value: { region, signatureVersion: S3SignatureVersion.S3V4 } } };
}

function s3Credentials({ endpoint, region }: Driver, key: AccessKey): CredentialDetails {
  return {
    secrets: new Map([
      ["accessKeyID", key.id],
      ["accessSecretKey", key.secret],
      ["endpoint", endpoint],
      ["region", region],
    ]),
  };
}
