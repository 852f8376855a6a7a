import type * as pulumi from "@pulumi/pulumi";
import { provisionerNaming } from "../../provider/contracts/cosi-2020-07/provisioner";
import type { Driver } from "../../provider/driver-resource/driver";
import { nameOfDriver as nameOf, provisionerNamed, type DriverRules } from "../cosi-proposals/driver-name";
import { ProblemError } from "../kubernetes/problem";
import { orInvalid } from "../kubernetes/scope";
import type { Scope } from "./installation";
import { noteDriver, onlyDriver } from "./known-drivers";

/** The driver of a class, or of a Bucket: the Driver itself, its name, or both. */
export interface ProvisionerArgs {
  /**
   * The driver, with contract `cosi-2020-07`. Its `driverName` is the provisioner.
   *
   * @default none: `provisioner` is given, and the driver is named where calls are made for it
   */
  driver?: Driver;
  /**
   * Name of the driver, `<provisioner-namespace>/<provisioner-name>`.
   *
   * @default the `driverName` of `driver`
   */
  provisioner?: pulumi.Input<string>;
}

const rules: DriverRules = { contract: "cosi-2020-07", naming: provisionerNaming };

/** The provisioner of a class, or of a Bucket. @throws InvalidArgumentError where nothing tells it (K07-008). */
export function provisionerOf(scope: Scope, args: ProvisionerArgs): pulumi.Output<string> {
  const { driver, provisioner } = args;
  if (driver !== undefined) noteDriver(scope.installation, driver);
  orInvalid(scope, () => {
    if (driver === undefined && provisioner === undefined) throw new ProblemError(missing);
  });
  return provisionerNamed(scope, args, rules, missing);
}

const missing =
  "provisioner is missing: give driver, or provisioner as <provisioner-namespace>/<provisioner-name>";

/** The provisioner that a driver is; the driver is known to later components from here on. */
export function nameOfDriver(scope: Scope, driver: Driver): pulumi.Output<string> {
  noteDriver(scope.installation, driver);
  return nameOf(scope, driver, rules);
}

/** The driver of a request. */
export interface GivenDriver {
  readonly driver: Driver;
  /** Its name, where it is not the class's own driver. @default the class has judged it */
  readonly provisioner?: pulumi.Output<string>;
}

/**
 * The driver of a request: the one that it was given, that of its class, or the only one there is.
 *
 * @throws ProblemError if there is none, or there are several.
 */
export function driverFor(scope: Scope, given: Driver | undefined, ofClass: Driver | undefined): GivenDriver {
  if (ofClass !== undefined && (given === undefined || given === ofClass)) return { driver: ofClass };
  const driver = given ?? onlyDriver(scope.installation);
  return { driver, provisioner: nameOfDriver(scope, driver) };
}
