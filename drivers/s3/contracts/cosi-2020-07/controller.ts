import {
  AccessMode,
  type CosiControllerServer,
  type ProviderContext,
  type ProviderCredentials,
} from "../../../../gen/cosi-2020-07/cosi/v1/cosi";
import type { Driver } from "../../core/driver";
import type { AccessKey } from "../../core/iam-users";
import { checkParameters, ownerIn } from "../../core/parameters";
import { quote } from "../../../common/text";
import { accountUserName } from "../../core/user-names";
import type { Calls } from "../../../common/calls/calls";
import { accountNameOf } from "./account-name";
import { bucketParameters, checkBucketFields } from "./bucket-fields";
import { errorNamesOf } from "./error-names";
import { accessOf, accessParameters } from "./permissions";
import { storeKeysOf } from "./store-keys";

/** The service `cosi.v1.CosiController`. */
export function cosiControllerServer(driver: Driver, calls: Calls): CosiControllerServer {
  const withKeysOf = (secrets: ReadonlyMap<string, string>): Driver => {
    const keys = storeKeysOf(secrets);
    return keys === undefined ? driver : driver.withKeys(keys);
  };
  return {
    createBucket: calls.unary({
      rpc: "CreateBucket",
      errorName: errorNamesOf("CREATE"),
      attempt: ({ bucketName }) => `create bucket ${quote(bucketName)}`,
      subject: ({ bucketName }) => ({ bucket: quote(bucketName) }),
      answer: async (request, owner) => {
        checkBucketFields("CREATE", request);
        const parameters = bucketParameters(request.driverParameters, request.providerContext);
        checkParameters("driver_parameters", parameters);
        await withKeysOf(request.secrets).buckets.create(request.bucketName, parameters, owner);
        return {
          bucket: {
            name: request.bucketName,
            providerContext: s3Context(driver),
            // The caller knows it; the driver knows the part after the slash only.
            provisioner: "",
            // No bucket of this driver is open to callers without credentials.
            accessMode: AccessMode.MODE_UNSPECIFIED,
          },
        };
      },
    }),

    deleteBucket: calls.unary({
      rpc: "DeleteBucket",
      errorName: errorNamesOf("DELETE"),
      attempt: ({ bucketName }) => `delete bucket ${quote(bucketName)}`,
      subject: ({ bucketName }) => ({ bucket: quote(bucketName) }),
      answer: async (request) => {
        checkBucketFields("DELETE", request);
        const owner = ownerIn(request.driverParameters);
        await withKeysOf(request.secrets).buckets.delete(request.bucketName, owner);
        return {};
      },
    }),

    grantBucketAccess: calls.unary({
      rpc: "GrantBucketAccess",
      errorName: errorNamesOf("GRANT"),
      attempt: ({ bucketName, permissions }) =>
        `grant access ${accessInWords(permissions)} to bucket ${quote(bucketName)}`,
      subject: ({ bucketName, permissions }) => ({
        bucket: quote(bucketName),
        access: accessInWords(permissions),
      }),
      answer: async (request, owner) => {
        checkBucketFields("GRANT", request);
        const { bucketName, permissions, secrets } = request;
        const account = accountNameOf(bucketName, accessOf(permissions));
        const parameters = accessParameters(permissions);
        checkParameters("permissions", parameters);
        const { key } = await withKeysOf(secrets).accounts.grant(bucketName, account, parameters, owner);
        return { creds: [keyCredentials(driver, key)] };
      },
    }),

    revokeBucketAccess: calls.unary({
      rpc: "RevokeBucketAccess",
      errorName: errorNamesOf("REVOKE"),
      attempt: ({ bucketName, permissions }) =>
        `revoke access ${accessInWords(permissions)} to bucket ${quote(bucketName)}`,
      subject: ({ bucketName, permissions }) => ({
        bucket: quote(bucketName),
        access: accessInWords(permissions),
      }),
      answer: async (request) => {
        checkBucketFields("REVOKE", request);
        const { bucketName, permissions, secrets } = request;
        // The account has one key, so whichever credential is named, it ends with the account.
        const account = accountNameOf(bucketName, accessOf(permissions));
        const user = accountUserName(driver.name, account);
        await withKeysOf(secrets).accounts.revoke(bucketName, user, account);
        return { creds: [] };
      },
    }),
  };
}

function accessInWords(permissions: ReadonlyMap<string, string>): string {
  return quote(permissions.get("cosi.io/bucket-access") ?? "");
}

function s3Context({ region }: Driver): ProviderContext {
  return { context: { $case: "s3Context", value: { location: region } } };
}

/** A key with its secret has no place in S3Credentials. */
function keyCredentials({ endpoint, region }: Driver, key: AccessKey): ProviderCredentials {
  const credentials = new Map([
    ["accessKeyID", key.id],
    ["accessSecretKey", key.secret],
    ["endpoint", endpoint],
    ["region", region],
  ]);
  return { credentials: { $case: "genericCredentials", value: { credentials } } };
}
