import * as pulumi from "@pulumi/pulumi";
import type { Driver } from "../../provider/driver-resource/driver";
import type { NamedComponent } from "../kubernetes/custom-resource";
import { classDriverName, requireDriverName } from "./driver-names";
import { judge } from "../kubernetes/scope";

/** The driver of a class. */
export interface ClassDriverArgs {
  driver: Driver;
  /**
   * Name of the driver as the class writes it; upper and lower case are the same.
   *
   * @default the name that the driver reports
   */
  driverName?: pulumi.Input<string>;
}

/** Name of the driver that a class is for. */
export function driverNameOf(scope: NamedComponent, args: ClassDriverArgs): pulumi.Output<string> {
  const given = judge<string | undefined, string | undefined>(scope, args.driverName, (name) => {
    if (name !== undefined) requireDriverName(name);
    return name;
  });
  return judge(scope, pulumi.all([given, args.driver.driverName]), ([name, reported]) =>
    classDriverName(name, reported),
  );
}
