import { secretOutput } from "../dynamic/values";
import type { ConnectionSettings } from "../driver/settings";

type SecretSettings = Pick<ConnectionSettings, "command" | "secretCommand" | "environment" | "tls">;

/**
 * The settings as outputs, with the environment, the private key, and a command that the program marked so, as secret:
 * the host hands inputs over in plain text.
 */
export function secretSettings<T extends SecretSettings>(settings: T): T {
  const { command, secretCommand, environment, tls } = settings;
  return {
    ...settings,
    ...(command === undefined || secretCommand !== true ? {} : { command: secretOutput(command) }),
    ...(environment === undefined ? {} : { environment: secretOutput(environment) }),
    ...(tls?.key === undefined ? {} : { tls: { ...tls, key: secretOutput(tls.key) } }),
  };
}
