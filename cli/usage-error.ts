/** The command line is wrong. The message says what to write. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
