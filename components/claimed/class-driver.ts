import * as pulumi from "@pulumi/pulumi";
import { contractNames } from "../../provider/contracts/contract";
import { contractProblem } from "../../provider/contracts/made-by";
import type { Driver } from "../../provider/driver-resource/driver";
import type { NamedComponent } from "../kubernetes/custom-resource";
import { ProblemError } from "../kubernetes/problem";
import { judge } from "../kubernetes/scope";
import { classDriverName, requireDriverName } from "./driver-names";

/** The driver of a class. */
export interface ClassDriverArgs {
  driver: Driver;
  /**
   * Name of the driver as it is written to the class; it is not case-sensitive.
   *
   * @default the name that the driver reports
   */
  driverName?: pulumi.Input<string>;
}

/**
 * Name of the driver that a class is for.
 *
 * @param made What its drivers make: `cosi.Bucket`.
 */
export function driverNameOf(
  scope: NamedComponent,
  { driver, driverName }: ClassDriverArgs,
  made: string,
): pulumi.Output<string> {
  const given = judge<string | undefined, string | undefined>(scope, driverName, (name) => {
    if (name !== undefined) requireDriverName(name);
    return name;
  });
  const contract: pulumi.Input<unknown> = driver.reference()["contract"];
  const fits = judge<unknown, true>(scope, contract, (spoken) => {
    requireContractOf(made, spoken);
    return true;
  });
  return judge(scope, pulumi.all([given, driver.driverName, fits]), ([name, reported]) =>
    classDriverName(name, reported),
  );
}

function requireContractOf(made: string, spoken: unknown): void {
  const contract = contractNames.find((known) => known === spoken);
  const problem = contract === undefined ? undefined : contractProblem({ contract }, made);
  if (problem !== undefined) throw new ProblemError(`driver ${problem}`);
}
