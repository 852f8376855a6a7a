import { isRecord } from "../../provider/dynamic/values";
import type { PlannedState } from "../review/preview";
import { isUnknownText, textOf } from "../review/resources";
import type { Role } from "./roles";

/** What becomes of something when its resource is deleted. */
export interface Ending {
  readonly effect: "deletes-data" | "revokes" | "removes" | "keeps" | "nothing";
  /** `DELETES the bucket (deletionPolicy Delete)`, in one line, without the name of what it is about. */
  readonly text: string;
}

/** What a delete of a resource does. @param noun What it is at the driver: `bucket`, `deployment`. */
export function endingOf(role: Role, state: PlannedState, noun: string): Ending {
  if (state.retainOnDelete) return { effect: "keeps", text: "stays (option retainOnDelete)" };
  switch (role) {
    case "bucket":
      return endOfBucket(state, noun);
    case "access":
      return endOfAccount(state);
    case "driver":
      return { effect: "nothing", text: "is forgotten" };
    default:
      return { effect: "removes", text: "is removed" };
  }
}

function endOfBucket(state: PlannedState, noun: string): Ending {
  const told = textOf({ ...state, outputs: {} }, "onDelete") ?? "";
  // A preview does not know the words before it knows the name.
  if (isUnknownText(told)) {
    return textOf(state, "deletionPolicy") === "Delete"
      ? deletes(noun)
      : keeps(noun, "deletionPolicy Retain");
  }
  const withAccount = told.startsWith("revokes its account, ") ? "revokes its account, " : "";
  if (told.includes("DELETES")) return deletes(noun, withAccount);
  return keeps(noun, /\(([^()]*)\)$/.exec(told)?.[1] ?? "deletionPolicy Retain", withAccount);
}

function deletes(noun: string, first = ""): Ending {
  return { effect: "deletes-data", text: `${first}DELETES the ${noun} (deletionPolicy Delete)` };
}

function keeps(noun: string, why: string, first = ""): Ending {
  return { effect: "keeps", text: `${first}keeps the ${noun} (${why})` };
}

function endOfAccount({ inputs }: PlannedState): Ending {
  const { existingAccount, rotation } = inputs;
  const generation = isRecord(rotation) ? rotation["generation"] : undefined;
  // Since a rotation the account is one that was granted.
  const isAdopted = isRecord(existingAccount) && (typeof generation !== "number" || generation === 0);
  return isAdopted
    ? { effect: "keeps", text: "keeps the account (it existed before)" }
    : { effect: "revokes", text: "revokes the account" };
}
