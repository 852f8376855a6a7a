/** The code of a system's error, such as `ECONNREFUSED`; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** What an error says; that of several addresses of a host says nothing itself. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(describeError))].join(", ");
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}
