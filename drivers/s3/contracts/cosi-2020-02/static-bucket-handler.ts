import type { StaticBucketHandlerServer } from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import type { KeyedLock } from "../../../../provider/driver/call/locks";
import type { Driver } from "../../core/driver";
import { DriverError } from "../../../common/driver-error";
import { checkContext } from "../../core/parameters";
import { quote } from "../../../common/text";
import type { Calls } from "../../../common/calls/calls";
import { createdAccountName, grantedAccountName } from "./account-names";
import { accountParameters, bucketIn, checkDriverParameters, requireNamed, type Oneof } from "./fields";
import { s3Account } from "./s3-account";

/**
 * The service `cosi.v1.StaticBucketHandler`: accounts of buckets that stay.
 *
 * @param turns - of the calls for one bucket, see `dynamicBucketHandler`.
 */
export function staticBucketHandler(
  driver: Driver,
  calls: Calls,
  turns: KeyedLock,
): StaticBucketHandlerServer {
  return {
    grantBucketAccess: calls.unary({
      rpc: "GrantBucketAccess",
      attempt: ({ Protocol }) => `grant access to bucket ${quote(bucketIn(Protocol))}`,
      subject: ({ Protocol }) => ({ bucket: quote(bucketIn(Protocol)) }),
      answer: async ({ DriverParameters, AccessMode, Protocol }, owner, id) => {
        const { BucketName: bucket } = requireNamed("Protocol", Protocol);
        checkDriverParameters(DriverParameters);
        const terms = accountParameters(AccessMode);
        const grant = await driver.accounts.grant(bucket, grantedAccountName(bucket, id), terms, owner);
        return { Protocol: { $case: "S3", value: s3Account(grant) } };
      },
    }),

    revokeBucketAccess: calls.unary({
      rpc: "RevokeBucketAccess",
      attempt: ({ RequestProtocol }) =>
        `revoke the access of user ${quote(userIn(RequestProtocol))} to bucket ${quote(bucketIn(RequestProtocol))}`,
      subject: ({ RequestProtocol }) => ({
        bucket: quote(bucketIn(RequestProtocol)),
        account: quote(userIn(RequestProtocol)),
      }),
      answer: async ({ DriverParameters, RequestProtocol }) => {
        const { BucketName: bucket, UserName: user } = requireNamed("RequestProtocol", RequestProtocol);
        if (user === "") {
          throw new DriverError(
            "invalid-argument",
            "RequestProtocol.S3.UserName is required and was not given: it is the account, and every create and grant returns it",
          );
        }
        // Those of a create, where the account came with its bucket.
        checkContext("DriverParameters", DriverParameters);
        await turns.run(bucket, () => driver.accounts.revoke(bucket, user, createdAccountName(bucket)));
        return {};
      },
    }),
  };
}

function userIn(oneof: Oneof): string {
  return oneof?.$case === "S3" ? oneof.value.UserName : "";
}
