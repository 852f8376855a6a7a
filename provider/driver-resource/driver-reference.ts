import type { Connection } from "../driver/connection";
import { connectionTo } from "../driver/connections";
import { sameDriverName } from "../driver/connect/driver-name";
import { secretSettings } from "./secret-settings";
import { connectionSettingsOf, type KeptSettings } from "../driver/settings";
import { containsUnknown, isUnknown, sameValue } from "../dynamic/values";
import { driversOfRun } from "../run/drivers";

/**
 * What a bucket or an access keeps of its driver: how to reach it, and who it is. It stands in the state of each, as
 * `destroy` runs no program.
 */
export interface DriverReference extends KeptSettings {
  /** The name that was recorded, against which the driver behind the endpoint is checked before each call. */
  driverName: string;
  /** Random text of the Driver resource, from which names are computed. */
  seed: string;
  /**
   * Seed of the Driver resource with which the resource has asked first, for whom the driver may have recorded what it
   * made. The program has another one in its place since: renamed without an alias.
   *
   * @default `seed`
   */
  ownerSeed?: string;
}

/** The connection to the driver, where it is by now. */
export function connect(reference: DriverReference): Connection {
  return connectionTo(connectionSettingsOf(driversOfRun.current(reference)));
}

/** The name against which the driver is checked, where it is by now. */
export function driverNameOf(reference: DriverReference): string {
  return driversOfRun.current(reference).driverName;
}

/**
 * The reference of a resource that is in the state already. When a Driver is updated, Pulumi knows none of its
 * outputs in the preview; the recorded name and seed are then what they were, as only inputs change them. What is made at
 * the driver keeps its owner, as long as it is at the same driver.
 */
export function keepIdentity(olds: DriverReference | undefined, news: DriverReference): DriverReference {
  if (olds === undefined) return news;
  const kept = {
    ...news,
    driverName: isUnknown(news.driverName) ? olds.driverName : news.driverName,
    seed: isUnknown(news.seed) ? olds.seed : news.seed,
  };
  const ownerSeed = olds.ownerSeed ?? olds.seed;
  return ownerSeed === kept.seed || isOtherDriver(olds, kept) ? kept : { ...kept, ownerSeed };
}

/** The reference as an output: what a started driver gets in its environment may be a secret, and a key is one. */
export function referenceOutput(reference: DriverReference): DriverReference {
  return secretSettings(reference);
}

/**
 * True if the resource went to another driver: another Driver resource that reports another name, or leads elsewhere. A
 * Driver that was moved, or whose driver was renamed, is still the same.
 */
export function isOtherDriver(olds: DriverReference, news: DriverReference): boolean {
  if (containsUnknown(news)) return false;
  const sameName = sameDriverName(olds.driverName, news.driverName);
  return olds.seed !== news.seed && !(sameName && sameValue(connectionOf(olds), connectionOf(news)));
}

/** Where the reference leads. Certificates say who may go there, and are renewed; the server's name is part of where. */
function connectionOf({ endpoint, tls, command, environment }: DriverReference): unknown[] {
  return [endpoint, tls?.serverName, command, environment];
}
