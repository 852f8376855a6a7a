import { describe, type KubernetesKind } from "../kubernetes/object";
import { isUnknown, sameValue } from "../dynamic/values";
import { uidOf, type RecordedClaim } from "./recorded-claim";

/** A claim as a program names it. */
interface NamedClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Claims (by their UIDs) that the state has lost while what was made for them is in it: a preview takes their objects for new
 * ones, whose UIDs it cannot know. As with `givenUp`, the binding of a claim comes first in the run, and a UID stays whatever
 * the stack or the component is called by now.
 */
const untold = new Map<string, string>();

/**
 * Notes whether a preview knows the claim that the state has a binding of. Before a replacement the engine asks a second time,
 * then without the state: what the first time knew stays.
 */
export function noteClaim(kind: KubernetesKind, recorded: NamedClaim | undefined, claim: NamedClaim): void {
  const known = uidOf(recorded);
  if (recorded === undefined || known === undefined || isUnknown(claim)) return;
  const { namespace, name, uid } = claim;
  if (!isUnknown(uid)) untold.delete(known);
  else if (sameValue([recorded.namespace, recorded.name], [namespace, name]))
    untold.set(known, `${describe(kind, recorded)} (UID ${known})`);
}

/** The claim in words, if a preview does not know whether it is still that of the state. @param claim What the state has. */
export function untoldClaim(claim: RecordedClaim): string | undefined {
  const uid = uidOf(claim);
  return uid === undefined ? undefined : untold.get(uid);
}

/** Forgets everything, as a new process does. */
export function forgetClaims(): void {
  untold.clear();
}
