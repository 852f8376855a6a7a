/** The command cannot go on; the message says why, and what to do. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}
