import { isRecord } from "../dynamic/values";
import { namesProvisioners } from "../models/registry";
import { isOtherDriver, type DriverReference } from "./driver-reference";

/**
 * Keeps the driver of a class while the class name stays, for a model whose classes name their driver: what was made there
 * stays there, wherever the class has gone since. A driver that was moved, or renamed, is no other one.
 */
export function keepClassDriver<Inputs extends { driver: DriverReference; objects?: { model: string } }>(
  olds: Partial<Inputs>,
  inputs: Inputs,
  className: keyof Inputs,
): void {
  const { driver } = olds;
  if (driver === undefined || olds[className] === undefined || olds[className] !== inputs[className]) return;
  const { objects } = inputs;
  if (objects === undefined || !isRecord(objects) || !namesProvisioners(objects.model)) return;
  if (isOtherDriver(driver, inputs.driver)) inputs.driver = driver;
}
