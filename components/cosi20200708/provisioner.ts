import * as pulumi from "@pulumi/pulumi";
import { provisionerNaming } from "../../provider/contracts/cosi-2020-07/provisioner";
import type { Driver } from "../../provider/driver-resource/driver";
import { ProblemError } from "../kubernetes/problem";
import { judge, orInvalid } from "../kubernetes/scope";
import type { Scope } from "./installation";
import { noteDriver, onlyDriver } from "./known-drivers";

/** The driver of a class, or of a Bucket: itself, its name, or both. */
export interface ProvisionerArgs {
  /**
   * The driver, with contract `cosi-2020-07`. Its `driverName` is the provisioner.
   *
   * @default none: `provisioner` is given, and whoever makes calls for it is told the driver
   */
  driver?: Driver;
  /**
   * Name of the driver, `<provisioner-namespace>/<provisioner-name>`.
   *
   * @default the `driverName` of `driver`
   */
  provisioner?: pulumi.Input<string>;
}

/** The provisioner of a class, or of a Bucket. @throws InvalidArgumentError where nothing tells it (K07-008). */
export function provisionerOf(scope: Scope, { driver, provisioner }: ProvisionerArgs): pulumi.Output<string> {
  const given = judge<string | undefined, string | undefined>(scope, provisioner, (name) => {
    if (name !== undefined) requireForm("provisioner", name);
    return name;
  });
  if (driver === undefined) {
    orInvalid(scope, () => {
      if (provisioner === undefined) throw new ProblemError(missing);
    });
    return judge<string | undefined, string>(scope, given, (name) => {
      if (name === undefined) throw new ProblemError(missing);
      return name;
    });
  }
  return judge(scope, pulumi.all([given, nameOfDriver(scope, driver)]), ([name, ofDriver]) => {
    if (name === undefined || name === ofDriver) return ofDriver;
    throw new ProblemError(
      `provisioner is ${JSON.stringify(name)}, and driver is the one of ${JSON.stringify(ofDriver)}: leave one of them out`,
    );
  });
}

const missing =
  "provisioner is missing: give driver, or provisioner as <provisioner-namespace>/<provisioner-name>";

/** The provisioner that a driver is; the driver is known to later components from here on. */
export function nameOfDriver(scope: Scope, driver: Driver): pulumi.Output<string> {
  noteDriver(scope.installation, driver);
  const contract: pulumi.Input<unknown> = driver.reference()["contract"];
  const speaks = judge<unknown, unknown>(scope, contract, (name) => {
    if (name === "cosi-2020-07") return name;
    throw new ProblemError(
      `driver has contract ${JSON.stringify(name)}: give one with contract "cosi-2020-07", which these objects are for`,
    );
  });
  return judge(scope, pulumi.all([driver.driverName, speaks]), ([name]) => {
    requireForm("driver: its driverName", name);
    return name;
  });
}

/** K07-037. */
function requireForm(argument: string, name: string): void {
  const problem = provisionerNaming.problem(name);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
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
 * @throws ProblemError where there is none, or there are several.
 */
export function driverFor(scope: Scope, given: Driver | undefined, ofClass: Driver | undefined): GivenDriver {
  if (ofClass !== undefined && (given === undefined || given === ofClass)) return { driver: ofClass };
  const driver = given ?? onlyDriver(scope.installation);
  return { driver, provisioner: nameOfDriver(scope, driver) };
}

/** K07-005: no call is made for a provisioner by the driver of another one. */
export function requireDriverOf(provisioner: string, ofDriver: string, whose: string): void {
  if (provisioner === ofDriver) return;
  throw new ProblemError(
    `driver is the one of ${JSON.stringify(ofDriver)}, and ${whose} is for provisioner ${JSON.stringify(provisioner)}, for ` +
      "which no driver is registered: give its Driver as driver",
  );
}
