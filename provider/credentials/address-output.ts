import { isRecord, secretOutput } from "../dynamic/values";
import { secretsWithin } from "./address-password";

/**
 * An output that holds addresses, as one text or at any depth: secret where something in one of them opens the door alone,
 * such as a password or a signature, and in plain sight else.
 */
export function addressOutput<T>(value: T): T {
  return opensDoor(value) ? secretOutput(value) : value;
}

function opensDoor(value: unknown): boolean {
  if (typeof value === "string") return secretsWithin(value).length > 0;
  if (Array.isArray(value)) return value.some(opensDoor);
  return isRecord(value) && Object.values(value).some(opensDoor);
}
