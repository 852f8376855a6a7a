import type { Granted, MadeBucket } from "./ledger";
import type { Trial } from "./trial";

/** By what the store calls buckets: their ids, or the names that were sent for them. */
export type BucketNaming = "by id" | "by sent name";

/** What a key may do that shows whether it is alive, the least harmful first: a key of a `wo` access may only put. */
export const storeUses = ["list", "get", "put"] as const;

/** What a granted key of an S3 store is tried with. */
export type StoreUse = (typeof storeUses)[number];

/** What a run has found out of the backend behind the driver, by what granted credentials may do there. */
export class BackendKnowledge {
  /** Tries granted credentials, if the run does so. */
  trialOf: ((granted: Granted, bucket: MadeBucket) => Trial) | undefined;
  /** Why credentials could not be tried, though the user wants them to be. */
  failure: string | undefined;
  /** True if the credentials that are tried are those of an S3 store, where more can be asked. */
  isStore = false;
  /** What granted keys of an S3 store are tried with, if they are. */
  storeUse: StoreUse | undefined;
  /** `undefined` until the store has let a key in. */
  bucketNaming: BucketNaming | undefined;
  /** Granted keys cannot remove what they have put, as the store keeps a version of it: nothing more is put there. */
  keepsPuts = false;
}
