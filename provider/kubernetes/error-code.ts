/** The code of a system's error, such as `ECONNREFUSED`: its own, or that of one which caused it. */
export function errorCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "ABORT_ERR") return cause.code;
  }
  return undefined;
}
