import { createHash } from "node:crypto";
import { digest } from "../dynamic/digest";
import { maximumNameLength } from "../fields/naming";
import type { PlannedRotation, RecordedRotation, Rotation, RotationSchedule } from "../run/rotations";
import { isUnknown, sameValue } from "../dynamic/values";

const dayInMilliseconds = 86_400_000;

/**
 * How far the rotation of an access has come with the program's schedule, or `undefined` for one that was never rotated.
 *
 * The count is a function of what the state holds: a run that was killed plans the same rotation again, and asks the
 * driver for the account of the same name.
 *
 * @param olds What the state holds of an access that is there; `undefined` where a new one is made.
 */
export function planRotation(
  olds: RecordedRotation | undefined,
  news: RotationSchedule | undefined,
  now: Date,
): (RotationSchedule & PlannedRotation) | undefined {
  const known = olds?.rotation;
  if (news === undefined) {
    if (known === undefined) return undefined;
    // What the program no longer asks for ends, and the account stays.
    const kept = { ...known, since: known.since ?? now.toISOString() };
    delete kept.everyDays;
    return kept;
  }
  const { generation = 0, since = now.toISOString() } = known ?? {};
  if (olds !== undefined && (isTriggered(known, news) || isDue(known, news, now))) {
    return { ...news, generation: generation + 1, since: now.toISOString() };
  }
  return { ...news, generation, since };
}

function isTriggered(known: RotationSchedule | undefined, { trigger }: RotationSchedule): boolean {
  return trigger !== undefined && !isUnknown(trigger) && !sameValue(known?.trigger, trigger);
}

function isDue(
  known: { readonly since?: string | undefined } | undefined,
  { everyDays }: RotationSchedule,
  now: Date,
): boolean {
  if (known?.since === undefined || typeof everyDays !== "number" || isUnknown(everyDays)) return false;
  return now.getTime() >= Date.parse(known.since) + everyDays * dayInMilliseconds;
}

/** The name of the account after so many rotations: the first one's, with the count and a hash that no user would type. */
export function rotatedName(firstName: string, generation: number): string {
  if (generation === 0 || isUnknown(firstName)) return firstName;
  const hash = createHash("sha256").update(firstName).digest("hex").slice(0, 6);
  const suffix = `-r${generation}-${hash}`;
  return firstName.slice(0, maximumNameLength - suffix.length).replace(/[.-]+$/, "") + suffix;
}

/** What the accounts of one access share, one after the other: who asks for them, and the name of the first. */
export function lineOf({
  driver: { seed },
  name,
  rotation,
}: {
  readonly driver: { readonly seed: string };
  readonly name?: string;
  readonly rotation?: Pick<Rotation, "firstName">;
}): string {
  return digest(["access", seed, rotation?.firstName ?? name]);
}

/** What is wrong with a schedule, or `undefined`. */
export function rotationProblem({ trigger, everyDays }: RotationSchedule): string | undefined {
  if (trigger !== undefined && !["string", "number", "boolean"].includes(typeof trigger)) {
    return `has a trigger that is an ${Array.isArray(trigger) ? "array" : typeof trigger}: give a string, a number or a boolean`;
  }
  if (everyDays === undefined || isUnknown(everyDays)) return undefined;
  if (typeof everyDays === "number" && Number.isFinite(everyDays) && everyDays > 0) return undefined;
  return `has everyDays ${JSON.stringify(everyDays)}: give a number of days above 0, or leave it out`;
}
