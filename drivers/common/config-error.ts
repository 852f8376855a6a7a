/** A variable of the environment that is missing or wrong: the driver does not start (exit status 78). */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(
    /** The variable to correct. */
    readonly variable: string,
    reason: string,
  ) {
    super(`${variable}: ${reason}`);
  }
}
