import type { DynamicBucketHandlerServer } from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import type { KeyedLock } from "../../../../provider/driver/call/locks";
import type { Driver } from "../../core/driver";
import { DriverError, type ErrorKind } from "../../../common/driver-error";
import { checkContext, ownerIn } from "../../core/parameters";
import { toDriverError } from "../../core/store-error";
import { quote } from "../../../common/text";
import { accountUserName } from "../../core/user-names";
import type { Calls } from "../../../common/calls/calls";
import { createdAccountName } from "./account-names";
import {
  accountParameters,
  bucketIn,
  checkDriverParameters,
  requireBucket,
  requireDelete,
  requireNamed,
  requireS3,
} from "./fields";
import { s3Account } from "./s3-account";

/**
 * The service `cosi.v1.DynamicBucketHandler`: buckets that come and go with an account.
 *
 * @param turns - of the calls for one bucket that are more than one step: what a delete or a revoke has ended must not come back
 * by the next step of a create whose caller has given up.
 */
export function dynamicBucketHandler(
  driver: Driver,
  calls: Calls,
  turns: KeyedLock,
): DynamicBucketHandlerServer {
  return {
    createBucket: calls.unary({
      rpc: "CreateBucket",
      attempt: ({ RequestBucketName }) => `create bucket ${quote(RequestBucketName)}`,
      subject: ({ RequestBucketName }) => ({ bucket: quote(RequestBucketName) }),
      answer: async ({ RequestBucketName: bucket, RequestProtocol, DriverParameters, AccessMode }, owner) => {
        requireBucket("RequestBucketName", bucket);
        requireS3(RequestProtocol);
        checkDriverParameters(DriverParameters);
        const [account, terms] = [createdAccountName(bucket), accountParameters(AccessMode)];
        const grant = await turns.run(bucket, async () => {
          await driver.accounts.requireGrantable(bucket, account, terms, owner);
          await driver.buckets.create(bucket, DriverParameters, owner);
          return withBucket(bucket, () => driver.accounts.grant(bucket, account, terms, owner));
        });
        const { region: Region, endpoint: Endpoint } = driver;
        return {
          Protocol: {
            $case: "S3",
            value: { BucketName: bucket, Region, Endpoint, Authentication: s3Account(grant) },
          },
        };
      },
    }),

    deleteBucket: calls.unary({
      rpc: "DeleteBucket",
      attempt: ({ Protocol }) => `delete bucket ${quote(bucketIn(Protocol))}`,
      subject: ({ Protocol }) => ({ bucket: quote(bucketIn(Protocol)) }),
      answer: async ({ RetainPolicy, DriverParameters, Protocol }) => {
        requireDelete(RetainPolicy);
        const { BucketName: bucket, UserName } = requireNamed("Protocol", Protocol);
        checkContext("DriverParameters", DriverParameters);
        const name = createdAccountName(bucket);
        const created = accountUserName(driver.name, name);
        const accounts = new Set(UserName === "" ? [created] : [created, UserName]);
        // The accounts last: a bucket that is not let go keeps them, and their keys go on to work.
        const endAccounts = async () => {
          for (const account of accounts) await driver.accounts.revoke(bucket, account, name);
        };
        const emptying = await turns.run(bucket, async () => {
          for (const account of accounts) await driver.accounts.requireOf(bucket, account, name);
          const begun = await driver.buckets.beginDelete(bucket, ownerIn(DriverParameters));
          if (begun === undefined) await endAccounts();
          return begun;
        });
        // Outside of the turn: meanwhile other calls are to hear that it is being emptied.
        await emptying?.finished();
        if (emptying !== undefined) await turns.run(bucket, endAccounts);
        return {};
      },
    }),
  };
}

/**
 * Does what comes after the bucket. The code of a refusal would say that nothing was made: whoever asked would forget the
 * bucket.
 */
async function withBucket<Result>(bucket: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { kind, message } = toDriverError(error, `make the account of bucket ${quote(bucket)}`);
    if (tellsNothing.includes(kind)) throw error;
    throw new DriverError("internal", `the bucket is there, and its account could not be made: ${message}`);
  }
}

/** Kinds of which a caller does not take that nothing was made. */
const tellsNothing: readonly ErrorKind[] = ["unavailable", "aborted", "resource-exhausted", "internal"];
