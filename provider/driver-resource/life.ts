import { randomBytes } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { connectionTo } from "../driver/connections";
import { contractOf } from "../contracts/registry";
import { driverNameForm, isDriverName, sameDriverName } from "../driver/connect/driver-name";
import { connectionSettingsOf, describeDriver, type ConnectionSettings } from "../driver/settings";
import { isUnknown } from "../dynamic/values";
import { driversOfRun } from "../run/drivers";
import { sharesIds } from "./contract-ids";
import { secretSettings } from "./secret-settings";
import { outputsOf, referenceTo, type DriverInputs, type DriverOutputs } from "./state";

/** Asks the driver for its name, if it can be asked, and records it together with a new seed. */
export async function create(inputs: DriverInputs): Promise<pulumi.dynamic.CreateResult<DriverOutputs>> {
  const name = await nameToRecord(inputs, inputs.driverName);
  const seed = randomBytes(16).toString("hex");
  return { id: inputs.logicalName, outs: outputsOf(inputs, name, seed) };
}

/** Asks for the name again where the driver is now; the seed stays, as names in the state are computed from it. */
export async function update(
  _id: string,
  olds: DriverOutputs,
  news: DriverInputs,
): Promise<pulumi.dynamic.UpdateResult<DriverOutputs>> {
  const driverName = await nameToRecord(news, news.driverName ?? olds.driverName, olds.contract);
  driversOfRun.note(referenceTo({ ...news, driverName, seed: olds.seed }));
  return { outs: outputsOf(news, driverName, olds.seed) };
}

/** GRPC-017: a driver that is out of reach must not stop a refresh, and nothing here can drift. */
export function read(id: string, props?: DriverOutputs): pulumi.dynamic.ReadResult<DriverOutputs> {
  if (props?.schemaVersion === undefined) throw new Error(`the Driver ${id} can only be read from the state`);
  const { demandedDriverName, logicalName } = props;
  const demanded = demandedDriverName === null ? {} : { driverName: demandedDriverName };
  const inputs = secretSettings({ ...connectionSettingsOf(props), ...demanded, logicalName });
  // Pulumi types inputs and outputs alike here.
  return { id, props: secretSettings(props), inputs: inputs as DriverOutputs };
}

/**
 * Connects, and asks the driver for its name.
 *
 * @param before The contract by which it was spoken to so far. @default none, or the same
 * @returns The name that the driver gives itself, or the program's where that is a longer one or the driver cannot be asked.
 * @throws Error if it is none, or not the one that is expected.
 */
async function nameToRecord(
  settings: ConnectionSettings,
  expected: string | undefined,
  before = settings.contract,
): Promise<string> {
  const identity = await connectionTo(connectionSettingsOf(settings)).identity();
  const where = describeDriver(settings);
  if (identity === null) {
    if (expected !== undefined) return expected;
    throw new Error(`the driver at ${where} has no call that tells its name. Next: set driverName.`);
  }
  const { name: reported } = identity;
  const demanded = expected === undefined || isUnknown(expected) ? undefined : expected;
  const own = demanded === undefined ? undefined : contractOf(settings.contract).naming.ownName(demanded);
  const asDemanded = own !== undefined && sameDriverName(own, reported);
  // K02-007: a demanded name is of the form that its contract asks for, if it asks for one, and so is an equal one.
  if (!asDemanded && !isDriverName(reported)) {
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, which is not a valid driver ` +
        `name (${driverNameForm}). Next: fix the driver; nothing was made with it.`,
    );
  }
  if (demanded === undefined || own === undefined) return reported;
  if (!asDemanded) {
    const right = JSON.stringify(demanded.slice(0, demanded.length - own.length) + reported);
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, but ${JSON.stringify(own)} is expected. Next: ` +
        (sharesIds(before, settings.contract)
          ? `point endpoint at the right driver, or, if it was renamed, set driverName to ${right}.`
          : `leave this Driver at the contract ${before}, the only one that knows what was made with it, and add a second one ` +
            `with ${settings.contract} and driverName ${right}; if nothing was made with it, set driverName to that.`),
    );
  }
  return own === demanded ? reported : demanded;
}
