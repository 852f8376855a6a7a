import type { Links, PlannedState } from "../review/preview";

/** What a preview does to a resource; a state changes nothing. */
export type Change = "created" | "changed" | "replaced" | "deleted";

/** A resource of a state, or of a preview as it will be after the `up`. */
export interface GraphResource extends Links {
  readonly urn: string;
  /** `cosi:objectstorage:BucketClaim`, `pulumi-nodejs:dynamic/cosi:Bucket`. */
  readonly type: string;
  /** Name in the program. */
  readonly name: string;
  /** False for what a preview only refers to, as it stays as it is: nothing but its URN is known. */
  readonly isKnown: boolean;
  readonly state: PlannedState;
  /** What it is until then, in a preview. */
  readonly before: PlannedState | undefined;
  readonly change: Change | undefined;
  /** It waits for its delete since a replacement that did not come to its end, beside a successor of the same name. */
  readonly isLeft: boolean;
}

/** A text that is neither a state nor a preview. */
export class GraphInputError extends Error {}
