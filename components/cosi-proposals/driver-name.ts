import * as pulumi from "@pulumi/pulumi";
import type { ContractName, DriverNaming } from "../../provider/contracts/contract";
import type { Driver } from "../../provider/driver-resource/driver";
import type { NamedComponent } from "../kubernetes/custom-resource";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";

/** How a proposal names drivers. */
export interface DriverRules {
  /** The one that its drivers speak. */
  readonly contract: ContractName;
  readonly naming: DriverNaming;
}

/** The driver of a class or a Bucket: the Driver itself, its name, or both. */
export interface GivenDriverArgs {
  readonly driver?: Driver;
  readonly provisioner?: pulumi.Input<string>;
}

/** The provisioner that a driver is. */
export function nameOfDriver(
  scope: NamedComponent,
  driver: Driver,
  rules: DriverRules,
): pulumi.Output<string> {
  const contract: pulumi.Input<unknown> = driver.reference()["contract"];
  const speaks = judge<unknown, unknown>(scope, contract, (name) => {
    if (name === rules.contract) return name;
    throw new ProblemError(
      `driver has contract ${JSON.stringify(name)}: give one with contract ${JSON.stringify(rules.contract)}, which these ` +
        "objects are for",
    );
  });
  return judge(scope, pulumi.all([driver.driverName, speaks]), ([name]) => {
    requireForm("driver: its driverName", name, rules);
    return name;
  });
}

/**
 * The provisioner of a class or a Bucket, by its driver, by its name, or by both, which then have to agree.
 *
 * @param missing The message if neither names it.
 */
export function provisionerNamed(
  scope: NamedComponent,
  { driver, provisioner }: GivenDriverArgs,
  rules: DriverRules,
  missing: string,
): pulumi.Output<string> {
  const given = judge<string | undefined, string | undefined>(scope, provisioner, (name) => {
    if (name !== undefined) requireForm("provisioner", name, rules);
    return name;
  });
  if (driver === undefined) {
    return judge<string | undefined, string>(scope, given, (name) => {
      if (name === undefined) throw new ProblemError(missing);
      return name;
    });
  }
  return judge(scope, pulumi.all([given, nameOfDriver(scope, driver, rules)]), ([name, ofDriver]) => {
    if (name === undefined || name === ofDriver) return ofDriver;
    throw new ProblemError(
      `provisioner is ${JSON.stringify(name)}, but driver is that of ${JSON.stringify(ofDriver)}: leave one of them out`,
    );
  });
}

function requireForm(argument: string, name: string, { naming }: DriverRules): void {
  const problem = naming.problem(name);
  if (problem !== undefined) throw new ProblemError(`${argument} ${problem}`);
}

/** No call is made for a provisioner by the driver of another one: K02-007, K07-005. */
export function requireDriverOf(provisioner: string, ofDriver: string, whose: string): void {
  if (provisioner === ofDriver) return;
  throw new ProblemError(
    `driver is that of ${JSON.stringify(ofDriver)}, but ${whose} is for provisioner ${JSON.stringify(provisioner)}, for ` +
      "which no driver is registered: give its Driver as driver",
  );
}
