import { secretOutput } from "../dynamic/values";
import type { ConnectionSettings } from "../driver/settings";

/**
 * The settings as outputs, with the environment and the private key marked as secret: the host hands inputs over in
 * plain text.
 */
export function secretSettings<T extends Pick<ConnectionSettings, "environment" | "tls">>(settings: T): T {
  const { environment, tls } = settings;
  return {
    ...settings,
    ...(environment === undefined ? {} : { environment: secretOutput(environment) }),
    ...(tls?.key === undefined ? {} : { tls: { ...tls, key: secretOutput(tls.key) } }),
  };
}
