import { ConfigError } from "../common/config-error";
import { type Environment, optional } from "../common/environment";

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
