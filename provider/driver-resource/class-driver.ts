import { isRecord } from "../dynamic/values";
import { namesProvisioners } from "../models/registry";
import { currentReference, isOtherDriver } from "./driver-reference";
import type { DriverReference } from "./reference";

/**
 * Keeps the driver of a class while the class name stays, for a model whose classes name their driver: what was made there
 * stays there, wherever the class has gone since. A driver that was moved, or renamed, is no other one.
 *
 * @returns True if it is kept. Pulumi takes what is secret from the program, which says nothing of this driver: it has to be
 * marked in what `check` returns.
 */
export function keepClassDriver<Inputs extends { driver: DriverReference; objects?: { model: string } }>(
  olds: Partial<Inputs>,
  inputs: Inputs,
  className: keyof Inputs,
): boolean {
  const { driver } = olds;
  if (driver === undefined || olds[className] === undefined || olds[className] !== inputs[className])
    return false;
  const { objects } = inputs;
  if (objects === undefined || !isRecord(objects) || !namesProvisioners(objects.model)) return false;
  if (!isOtherDriver(driver, inputs.driver)) return false;
  inputs.driver = currentReference(driver);
  return true;
}
