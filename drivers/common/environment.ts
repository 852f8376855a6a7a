import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDriverName } from "../../provider/driver/connect/driver-name";
import { ConfigError } from "./config-error";

/** The variables that the driver was started with; an empty value counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable, or undefined if it is absent or empty. */
export function optional(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

/**
 * The value of a variable that must be there.
 *
 * @param hint - what to set it to.
 * @throws ConfigError if it is absent.
 */
export function required(env: Environment, name: string, hint: string): string {
  const value = optional(env, name);
  if (value === undefined) {
    throw new ConfigError(name, `is not set; ${hint}`);
  }
  return value;
}

/**
 * One of several words.
 *
 * @throws ConfigError if the value is another one.
 */
export function choice<const T extends string>(
  env: Environment,
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = optional(env, name);
  if (value === undefined) {
    return fallback;
  }
  const found = allowed.find((word) => word === value);
  if (found === undefined) {
    throw new ConfigError(name, `"${value}" is not one of ${allowed.join(", ")}`);
  }
  return found;
}

/**
 * The driver's own name, which callers compare and which marks what it makes.
 *
 * @throws ConfigError if it is not in domain name notation.
 */
export function driverName(env: Environment, variable: string, fallback: string): string {
  const name = optional(env, variable) ?? fallback;
  if (!isDriverName(name)) {
    throw new ConfigError(
      variable,
      `"${name}" is not a domain name of at most 63 letters, digits, dashes and dots`,
    );
  }
  return name;
}

/**
 * The text of a file of certificates, or undefined if the variable is absent.
 *
 * @throws ConfigError if the file cannot be read or holds none.
 */
export function certificateAuthorities(env: Environment, variable: string): string | undefined {
  const file = optional(env, variable);
  if (file === undefined) {
    return undefined;
  }
  try {
    const pem = readFileSync(file, "utf8");
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(variable, `"${file}" is not a readable file of PEM certificates (${reason})`);
  }
}
