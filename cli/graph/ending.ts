import { isAdopted } from "../review/accounts";
import { endOfData, endOfPlanned } from "../review/end-of-data";
import { isOfGuest } from "../review/july";
import { keepingOption } from "../review/options";
import type { PlannedState } from "../review/preview";
import { readable } from "../review/readings";
import type { Role } from "./roles";

/** What becomes of something when its resource is deleted. */
export interface Ending {
  readonly effect: "deletes-data" | "revokes" | "removes" | "keeps" | "nothing";
  /** `DELETES the bucket (deletionPolicy Delete)`, in one line, without the name of what it is about. */
  readonly text: string;
}

/** A resource whose end is told. */
export interface Ended {
  readonly state: PlannedState;
  /** It is what a program asks for, and not what is there: what is left out has its default. */
  readonly isPlanned: boolean;
  /** URNs of what goes with it. */
  readonly going: ReadonlySet<string>;
}

/** What a delete of a resource does. @param noun What it is at the driver: `bucket`, `deployment`. */
export function endingOf(role: Role, ended: Ended, noun: string): Ending {
  const option = keepingOption(ended.state, ended.going);
  if (option !== undefined) return { effect: "keeps", text: `stays (option ${option})` };
  switch (role) {
    case "bucket":
      return endOfBucket(ended, noun);
    case "access":
      return endOfAccount(ended.state);
    case "driver":
      return { effect: "nothing", text: "is forgotten" };
    default:
      return { effect: "removes", text: "is removed" };
  }
}

function endOfBucket({ state, isPlanned }: Ended, noun: string): Ending {
  const told = readable(state.inputs["onDelete"]) ?? "";
  const first = told.startsWith("revokes its account, ") ? "revokes its account, " : "";
  const keeps = (why: string): Ending => ({ effect: "keeps", text: `${first}keeps the ${noun} (${why})` });
  switch (isPlanned ? endOfPlanned(state) : endOfData(state)) {
    case "deleted":
      return { effect: "deletes-data", text: `${first}DELETES the ${noun} (deletionPolicy Delete)` };
    case "unreadable":
      return { effect: "deletes-data", text: `${first}MAY DELETE the ${noun} (deletionPolicy is not shown)` };
    case "not-ours":
      return keeps("it existed before");
    case "by-object":
      return keeps("unless its Bucket in the cluster has releasePolicy Delete");
    case "kept":
      return keeps(/\(([^()]*)\)$/.exec(told)?.[1] ?? "deletionPolicy Retain");
  }
}

function endOfAccount(state: PlannedState): Ending {
  // Since a rotation the account is one that was granted.
  if (isAdopted(state)) return { effect: "keeps", text: "keeps the account (it existed before)" };
  if (isOfGuest(state)) {
    const text = "revokes the account, MAY DELETE the bucket (where it is bound last)";
    return { effect: "deletes-data", text };
  }
  return { effect: "revokes", text: "revokes the account" };
}
