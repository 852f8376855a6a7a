import type { Connection } from "../driver/connection";
import { connectionTo } from "../driver/connections";
import { sameDriverName } from "../driver/connect/driver-name";
import { secretSettings } from "./secret-settings";
import { connectionSettingsOf } from "../driver/settings";
import { containsUnknown, isUnknown, sameValue, withoutNulls } from "../dynamic/values";
import { driversOfRun } from "../run/drivers";
import { sharesIds } from "./contract-ids";
import type { DriverReference, GivenReference } from "./reference";

/** The connection to the driver, where it is by now, by the contract that is recorded. */
export function connect(reference: DriverReference): Connection {
  return connectionTo(connectionSettingsOf(driversOfRun.current(reference)));
}

/** The name against which the driver is checked, where it is by now. */
export function driverNameOf(reference: DriverReference): string {
  return driversOfRun.current(reference).driverName;
}

/**
 * The reference that a resource is to keep. When a Driver is updated, Pulumi knows none of its outputs in the preview; the
 * recorded name and seed are then what they were, as only inputs change them. Those of a Driver that will be created stay
 * unknown. What is made at the driver keeps its owner, as long as it is at the same driver.
 *
 * @param olds That of the state, of a resource that is there already.
 */
export function keepIdentity(olds: DriverReference | undefined, given: GivenReference): DriverReference {
  const { id, ...news } = withoutNulls(given);
  if (olds === undefined) return news;
  const seed = seedOf(olds, news.seed, id);
  const kept = {
    ...news,
    driverName: isUnknown(news.driverName) && seed === olds.seed ? olds.driverName : news.driverName,
    seed,
  };
  const ownerSeed = olds.ownerSeed ?? olds.seed;
  return ownerSeed === seed || isOtherDriver(olds, kept) ? kept : { ...kept, ownerSeed };
}

/** The plugin tells no id, and leaves the seed unknown of a Driver alone that will be created. */
function seedOf(olds: DriverReference, seed: string, id: string | undefined): string {
  if (!isUnknown(seed) || id === undefined || isUnknown(id)) return seed;
  return driversOfRun.seedOf(id, olds.seed) ?? seed;
}

/** The reference of the state, with the connection of a Driver that has moved since, as far as the run knows it. */
export function currentReference(recorded: DriverReference): DriverReference {
  const { seed, ownerSeed } = recorded;
  const found = driversOfRun.current(recorded);
  const owner = ownerSeed === undefined ? {} : { ownerSeed };
  const current = { ...connectionSettingsOf(found), driverName: found.driverName, seed, ...owner };
  return sameReference(recorded, current) ? recorded : current;
}

/** The reference as an output: what a started driver gets in its environment may be a secret, and a key is one. */
export function referenceOutput(reference: DriverReference): DriverReference {
  return secretSettings(reference);
}

/** True for references that mean the same: a wait that is left out is the default one. */
export function sameReference(olds: DriverReference, news: DriverReference): boolean {
  const [before, after] = [olds, news].map((given) => ({ ...given, ...connectionSettingsOf(given) }));
  return sameValue(before, after);
}

/**
 * True if the resource went to another driver: another Driver resource that reports another name, leads elsewhere, or has a
 * contract in which the ids of the earlier one mean nothing. A Driver that was moved, or whose driver was renamed, is still
 * the same. One that will be created, whose seed is not known yet, is another one; what else is not known tells nothing.
 */
export function isOtherDriver(olds: DriverReference, news: DriverReference): boolean {
  // It is unknown as a whole where the engine asks what goes with a Driver that it will replace.
  if (isUnknown(news) || olds.seed === news.seed) return false;
  if (!sharesIds(olds.contract, news.contract)) return true;
  if (!isUnknown(news.driverName) && !sameDriverName(olds.driverName, news.driverName)) return true;
  const after = connectionOf(news);
  return connectionOf(olds).some(
    (part, index) => !containsUnknown(after[index]) && !sameValue(part, after[index]),
  );
}

/** Where the reference leads. Certificates say who may go there, and are renewed; the server's name is part of where. */
function connectionOf({ endpoint, tls, command, environment }: DriverReference): unknown[] {
  return [[endpoint, isUnknown(tls) ? tls : tls?.serverName], command, environment];
}
