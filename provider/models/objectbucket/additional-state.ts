import { objectStoreOf } from "./class-parameters";

/** Keys of an ObjectBucket's `additionalState` that this package writes beside Rook's own. Source: OBC-029. */
export const driverStateKey = "cosi.driver";
export const bucketStateKey = "cosi.bucketID";
export const accountStateKey = "cosi.accountID";
/** Rook's key for the account. */
export const cephUserKey = "cephUser";

/** What later runs, and people, need to know of a bucket: ids byte for byte. Source: OBC-029. */
export function additionalStateOf(
  { driverName, bucketId, accountId }: { driverName: string; bucketId: string; accountId: string },
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const { name, namespace } = objectStoreOf(parameters);
  return {
    [cephUserKey]: accountId,
    ...(name === undefined ? {} : { objectStoreName: name }),
    ...(namespace === undefined ? {} : { objectStoreNamespace: namespace }),
    [driverStateKey]: driverName,
    [bucketStateKey]: bucketId,
    [accountStateKey]: accountId,
  };
}
