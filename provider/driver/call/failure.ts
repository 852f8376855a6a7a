import type { ErrorReading } from "../../contracts/contract";

/** What befell an attempt, in the terms of a status. */
export interface Failure {
  readonly code: number;
  /** Secrets masked. */
  readonly reason: string;
  /** The driver answered OK, with something that cannot be read. */
  readonly undecodable: boolean;
  /** Nothing came until the deadline: the connection may be dead without having ended. @default false */
  readonly unanswered?: boolean;
  /** The answer that cannot be read tells that a credential was made. @default false */
  readonly issued?: boolean;
  /** An equal call would end in the same way, whatever the code says. @default the code says it */
  readonly final?: boolean;
  /** What the user does about it, where that is known better than by the code. @default what the code says */
  readonly next?: string;
  /** What the contract reads into the driver's answer, for one that has names of its own for errors. */
  readonly reading?: ErrorReading;
}
