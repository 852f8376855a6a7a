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
    throw new ConfigError(name, `"${value}" is none of ${allowed.join(", ")}`);
  }
  return found;
}

/**
 * The URL of a store's API without a trailing slash, or undefined if the variable is absent. `http:` is the
 * user's word for plain text.
 *
 * @throws ConfigError for anything but `http(s)://host[:port]`: a user name in it would be told to clients.
 */
export function storeUrl(env: Environment, name: string): string | undefined {
  const value = optional(env, name);
  if (value === undefined) {
    return undefined;
  }
  const url = URL.parse(value);
  const plain = url !== null && ["http:", "https:"].includes(url.protocol) && url.href === `${url.origin}/`;
  if (!plain) {
    throw new ConfigError(name, "is not a URL of the form https://host[:port] or http://host[:port]");
  }
  return url.origin;
}
