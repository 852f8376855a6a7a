import { canonical } from "../../provider/dynamic/values";
import { currentDrivers, keysAtDriver, type CurrentDrivers } from "./driver-keys";
import type { PlannedState, PlannedStep } from "./preview";
import { knownProperties } from "./readings";
import { isData, nounOf } from "./resources";

/** Tells of a resource that goes, or is replaced, whether what it stands for stays with one of the program. */
export type HasHeir = (step: PlannedStep, isDeletedAtDriver: boolean) => boolean;

/**
 * Finds what stays with a resource of the program. At up such an entry is dropped, and nothing is deleted: what the program takes
 * over by its id, what another resource asks for by its name (GRPC-016), and what one keeps.
 */
export function heirsIn(steps: readonly PlannedStep[]): HasHeir {
  const current = currentDrivers(steps);
  const all = steps.filter(isData);
  const heirs = (objectsOf: (step: PlannedStep) => Objects): ReadonlyMap<string, readonly Heir[]> =>
    Map.groupBy(
      all.flatMap((step) => keysOf(step, objectsOf(step), current).map((key) => ({ key, urn: step.urn }))),
      ({ key }) => key,
    );
  const [kept, wanted] = [heirs(keptBy), heirs(wantedBy)];
  return (step, isDeletedAtDriver) => {
    const { urn } = step;
    return keysOf(step, ownedBy(step.before), current).some((key) => {
      const keepers = (kept.get(key) ?? []).map((heir) => heir.urn);
      if (isDeletedAtDriver && step.deletesAtOnce) return keepers.includes(urn);
      const askers = (wanted.get(key) ?? []).map((heir) => heir.urn);
      // That a resource asks for its own name again, to be made anew, is no reason to keep what it has.
      return keepers.length > 0 || (askers.length > 0 && !askers.includes(urn));
    });
  };
}

/** Tells who has had until now what a resource of the program has from now on. */
export type Predecessors = (step: PlannedStep) => readonly PlannedStep[];

/**
 * Finds who has had an object until now: for a resource that has it already, itself and those that go; for one that takes it
 * over, all that have had it.
 */
export function predecessorsIn(steps: readonly PlannedStep[]): Predecessors {
  const current = currentDrivers(steps);
  const had = Map.groupBy(
    steps
      .filter(isData)
      .flatMap((step) => keysOf(step, ownedBy(step.before), current).map((key) => ({ key, step }))),
    ({ key }) => key,
  );
  return (step) => {
    if (!isOfProgram(step.op)) return [];
    const keys = [keptBy(step), wantedBy(step)].flatMap((objects) => keysOf(step, objects, current));
    const others = keys.flatMap((key) => had.get(key) ?? []).map((entry) => entry.step);
    const stays = step.op === "update" || step.op === "same";
    const found = stays ? [step, ...others.filter(({ op }) => op === "delete" || op === "replace")] : others;
    return [...new Set(found)];
  };
}

/** A resource of the program that has an object at a driver from now on. */
interface Heir {
  readonly key: string;
  readonly urn: string;
}

/** Ids at a driver. */
interface Objects {
  /** Who sees to them in a run: one process does not know what another one keeps. */
  readonly process: string | undefined;
  readonly driver: unknown;
  readonly ids: readonly unknown[];
}

const nothing: Objects = { process: undefined, driver: undefined, ids: [] };

/** What a resource has now, by the name that was sent, the driver's id, and the one that was given. */
function ownedBy(state: PlannedState | undefined): Objects {
  if (state === undefined) return nothing;
  const { driver, name, bucketId, deploymentId } = knownProperties(state);
  return {
    process: state.links.provider,
    driver,
    ids: [...new Set([name, bucketId, deploymentId, existingId(state)])],
  };
}

/** What a resource of the program keeps: an id that is given, and what it has if it stays. */
function keptBy({ op, before, after }: PlannedStep): Objects {
  if (after === undefined || !isOfProgram(op)) return nothing;
  const process = after.links.provider;
  const given = existingId(after);
  if (given !== undefined) return { process, driver: after.inputs["driver"], ids: [given] };
  return op === "update" || op === "same" ? { ...ownedBy(before), process } : nothing;
}

/** What a resource of the program asks its driver for. */
function wantedBy({ op, after }: PlannedStep): Objects {
  if (after === undefined || !isOfProgram(op) || existingId(after) !== undefined) return nothing;
  const { driver, name } = after.inputs;
  return { process: after.links.provider, driver, ids: [name] };
}

function existingId({ inputs }: PlannedState): unknown {
  return inputs["existingBucketId"] ?? inputs["existingDeploymentId"] ?? undefined;
}

/** A refresh shows what may leave the program in the same preview. */
function isOfProgram(op: string): boolean {
  return ["create", "update", "replace", "same"].includes(op);
}

function keysOf(
  step: PlannedStep,
  { process = step.type.split(":")[0], driver, ids }: Objects,
  current: CurrentDrivers,
): string[] {
  const keys = ids.flatMap((id) => keysAtDriver(driver, id, current));
  return keys.map((key) => canonical([process, nounOf(step), key]));
}
