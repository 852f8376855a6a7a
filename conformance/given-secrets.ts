import { secretsWithin } from "../provider/credentials/address-password";
import { isOrdinary } from "../provider/driver/process/output-mask";
import { isRecord } from "../provider/dynamic/values";
import { isPath, opensByName } from "./opening";
import type { ReportMask } from "./report-mask";

/**
 * Notes what a driver is given to start with and may say when it fails: it inherits the environment of the check, and
 * has its command line. Secret are the values of variables and flags whose names say so, and in every other value what
 * opens the door alone, such as the password of an address.
 */
export function rememberGivenSecrets(
  mask: ReportMask,
  environment: Readonly<Record<string, string | undefined>>,
  command: readonly string[],
): void {
  const values = [
    ...Object.entries(environment).flatMap(([name, value = ""]) => secretsOf(name, value)),
    ...command.flatMap((argument, index) => secretsOfArgument(argument, command[index - 1] ?? "")),
  ];
  for (const value of values) if (!isOrdinary(value)) mask.rememberParameter(value);
}

function secretsOf(name: string, value: string): string[] {
  const whole = opensByName(name) && !isPath(value) ? [value] : [];
  return [...whole, ...secretsWithin(value), ...secretsOfJson(value)];
}

/** `--admin-secret=x`, `--admin-secret x`, `ADMIN_SECRET=x`, and what stands in an argument of any other kind. */
function secretsOfArgument(argument: string, before: string): string[] {
  const [, name = "", value = ""] = /^-*([\w.-]+)=(.+)$/s.exec(argument) ?? [];
  const ofFlagBefore = before.startsWith("-") && !before.includes("=") ? secretsOf(before, argument) : [];
  return [...ofFlagBefore, ...secretsOf(name, value), ...secretsWithin(argument)];
}

/** What a document in a variable has under names that open. */
function secretsOfJson(text: string): string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return secretsIn("", JSON.parse(text));
  } catch {
    return [];
  }
}

function secretsIn(name: string, value: unknown): string[] {
  if (typeof value === "string") return secretsOf(name, value);
  if (Array.isArray(value)) return value.flatMap((entry) => secretsIn(name, entry));
  return isRecord(value) ? Object.entries(value).flatMap(([key, entry]) => secretsIn(key, entry)) : [];
}
