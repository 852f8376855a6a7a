import type { Ending } from "./ending";
import type { Change } from "./resource";
import type { Role } from "./roles";

/** Something that a platform engineer thinks in, with what is internal to it. */
export interface Node {
  /** URN of the resource that it is known by. */
  readonly id: string;
  readonly role: Role;
  /** `BucketClaim`; of what is at a driver a noun, `bucket`. */
  readonly kind: string;
  readonly name: string;
  /** Objects of the cluster as such have none. */
  readonly namespace: string | undefined;
  /** Name of the driver that has it, of what no object stands for. */
  readonly store: string | undefined;
  /** Name of the account at the driver. */
  readonly account: string | undefined;
  /** What else there is to say of it. */
  readonly details: readonly string[];
  readonly change: Change | undefined;
  /** What the `up` after this preview does with it, where that is its end. */
  readonly endsNow: Ending | undefined;
  /** What a destroy does, and in which step; what goes in this preview has none. */
  readonly ending: (Ending & { readonly step: number }) | undefined;
}

/** `to` needs `from`, so it is made later, and goes earlier. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** `class of`, `makes`. */
  readonly label: string;
}

/** The life cycle of a stack. */
export interface LifeCycle {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}
