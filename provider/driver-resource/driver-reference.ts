import type { Connection } from "../driver/connection";
import { connectionTo } from "../driver/connections";
import { sameDriverName } from "../driver/connect/driver-name";
import { secretSettings } from "./secret-settings";
import { connectionSettingsOf, type ConnectionSettings } from "../driver/settings";
import { containsUnknown, isUnknown, sameValue } from "../dynamic/values";

/**
 * What a bucket or an access keeps of its driver: how to reach it, and who it is. It stands in the state of each, as
 * `destroy` runs no program.
 */
export interface DriverReference extends ConnectionSettings {
  /** The name that was recorded, against which the driver behind the endpoint is checked before each call. */
  driverName: string;
  /** Random text of the Driver resource, from which names are computed. */
  seed: string;
}

/** The connection that the reference leads to. */
export function connect(reference: DriverReference): Connection {
  return connectionTo(connectionSettingsOf(reference));
}

/**
 * The reference of a resource that is in the state already. When a Driver is updated, Pulumi knows none of its
 * outputs in the preview; the recorded name and seed are then what they were, as only inputs change them.
 */
export function keepIdentity(olds: DriverReference | undefined, news: DriverReference): DriverReference {
  if (olds === undefined) return news;
  return {
    ...news,
    driverName: isUnknown(news.driverName) ? olds.driverName : news.driverName,
    seed: isUnknown(news.seed) ? olds.seed : news.seed,
  };
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
