import type * as pulumi from "@pulumi/pulumi";
import { anyNaming } from "../../provider/contracts/cosi-2020-02/naming";
import type { Driver } from "../../provider/driver-resource/driver";
import { nameOfDriver as nameOf, provisionerNamed, type DriverRules } from "../cosi-proposals/driver-name";
import type { Scope } from "./installation";

/** The driver of a class: the Driver itself, its name, or both; neither for static buckets that no driver knows. */
export interface ProvisionerArgs {
  /**
   * The driver, with contract `cosi-2020-02`. Its `driverName` is the provisioner.
   *
   * @default none: `provisioner` is given, and the Bucket names the driver; or the class is static
   */
  driver?: Driver;
  /**
   * Name of the driver.
   *
   * @default the `driverName` of `driver`; a static class needs none
   */
  provisioner?: pulumi.Input<string>;
}

const rules: DriverRules = { contract: "cosi-2020-02", naming: anyNaming };

/** The message if nothing names the provisioner: K02-050. */
export const missingProvisioner =
  "provisioner is missing: give driver, or provisioner, or, for a static bucket, secretRef and bucketIdentifier";

/** True for a class that has a provisioner. */
export function hasProvisioner({ driver, provisioner }: ProvisionerArgs): boolean {
  return driver !== undefined || (provisioner ?? undefined) !== undefined;
}

/** The provisioner of a class that has one. */
export function provisionerOf(scope: Scope, args: ProvisionerArgs): pulumi.Output<string> {
  return provisionerNamed(scope, args, rules, missingProvisioner);
}

/** The provisioner that a driver is. */
export function nameOfDriver(scope: Scope, driver: Driver): pulumi.Output<string> {
  return nameOf(scope, driver, rules);
}
