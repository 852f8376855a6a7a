import { randomBytes } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { connectionTo } from "../driver/connections";
import { driverNameForm, isDriverName, sameDriverName } from "../driver/connect/driver-name";
import { connectionSettingsOf, describeDriver, type ConnectionSettings } from "../driver/settings";
import { isUnknown } from "../dynamic/values";
import { secretSettings } from "./secret-settings";
import { outputsOf, type DriverInputs, type DriverOutputs } from "./state";

/** Asks the driver for its name, and records it together with a new seed. */
export async function create(inputs: DriverInputs): Promise<pulumi.dynamic.CreateResult<DriverOutputs>> {
  const reported = await reportedName(inputs, inputs.driverName);
  const seed = randomBytes(16).toString("hex");
  return { id: inputs.logicalName, outs: outputsOf(inputs, reported, seed) };
}

/** Asks for the name again where the driver is now; the seed stays, as names in the state are computed from it. */
export async function update(
  _id: string,
  olds: DriverOutputs,
  news: DriverInputs,
): Promise<pulumi.dynamic.UpdateResult<DriverOutputs>> {
  const reported = await reportedName(news, news.driverName ?? olds.driverName);
  return { outs: outputsOf(news, reported, olds.seed) };
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

/** Asks the driver for its name. @throws Error if it is none, or not the one that is expected. */
async function reportedName(settings: ConnectionSettings, expected: string | undefined): Promise<string> {
  const reported = await connectionTo(connectionSettingsOf(settings)).driverName();
  const where = describeDriver(settings);
  if (!isDriverName(reported)) {
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, which is no driver name ` +
        `(${driverNameForm}). Next: mend the driver; nothing was made with it.`,
    );
  }
  if (expected !== undefined && !isUnknown(expected) && !sameDriverName(expected, reported)) {
    throw new Error(
      `the driver at ${where} calls itself ${JSON.stringify(reported)}, and ${JSON.stringify(expected)} is expected. Next: ` +
        `point endpoint at the right driver, or, if it was renamed, set driverName to ${JSON.stringify(reported)}.`,
    );
  }
  return reported;
}
