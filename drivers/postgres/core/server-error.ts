import { DatabaseError } from "pg";
import { DriverError, type ErrorKind } from "../../common/driver-error";
import { shorten } from "../../common/text";

/** Kinds by SQLSTATE, or by its class, which is its first two characters (PostgreSQL documentation, appendix A). */
const KIND_BY_STATE: ReadonlyMap<string, ErrorKind> = new Map<string, ErrorKind>([
  ["08", "unavailable"], // connection exceptions
  ["0A", "failed-precondition"], // not supported
  ["22", "invalid-argument"], // values, and texts that the encoding does not have
  ["23505", "aborted"], // two at once made an entry of the same name
  ["25", "failed-precondition"], // read-only: a standby
  ["28", "unauthenticated"],
  ["2B", "failed-precondition"], // something depends on it
  ["3D", "failed-precondition"], // no such database
  ["40", "aborted"], // deadlock, serialization
  ["42501", "permission-denied"],
  ["42602", "invalid-argument"], // invalid name
  ["42622", "invalid-argument"], // name too long
  ["42704", "failed-precondition"], // no such role
  ["42710", "already-exists"], // role
  ["42939", "invalid-argument"], // reserved name
  ["42P04", "already-exists"], // database
  ["53", "resource-exhausted"], // connections, disk, memory
  ["55000", "failed-precondition"], // takes no connections
  ["55006", "aborted"], // in use
  ["55P03", "aborted"], // lock not to be had in time
  ["57", "unavailable"], // shut down, starting, cancelled
  ["58", "unavailable"], // system error of the server
]);

/** Longest text of a server that is passed on. */
const MAX_REASON = 300;

/** The kind of what the core threw: a DriverError, an answer of the server, or a failure to get one. */
export function kindOf(error: unknown): ErrorKind {
  if (error instanceof DriverError) return error.kind;
  if (error instanceof DatabaseError) {
    const state = error.code ?? "";
    // The server's word for what two transactions changed at once, under the code of an internal error.
    if (state === "XX000" && /concurrently (updated|deleted)/.test(error.message)) return "aborted";
    return KIND_BY_STATE.get(state) ?? KIND_BY_STATE.get(state.slice(0, 2)) ?? "internal";
  }
  return isConnectionFailure(error) ? "unavailable" : "internal";
}

/** The server's code of an error, or undefined if it is no answer of the server. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/**
 * What a contract tells its caller: what failed, on which object, why.
 *
 * @param attempt - what was tried, for example `create deployment "orders"`.
 */
export function toDriverError(error: unknown, attempt: string): DriverError {
  return new DriverError(kindOf(error), `cannot ${attempt}: ${reasonOf(error)}`, { cause: error });
}

/** Errors of the network and of TLS have a code; those of the client, such as its timeout, have none. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!("code" in error) || typeof error.code !== "string") return error.constructor === Error;
  return !error.code.startsWith("ERR_") || /^ERR_(TLS|SSL)_/.test(error.code);
}

/** What the server said, or why it cannot be heard, for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof DriverError) return error.message;
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").trim();
  if (error instanceof DatabaseError) {
    const detail = error.detail === undefined ? "" : ` (${error.detail.replace(/\s+/g, " ")})`;
    return shorten(`the server answered ${error.code ?? "an error"}: ${message}${detail}`, MAX_REASON);
  }
  const code = error instanceof Error && "code" in error ? `${String(error.code)}: ` : "";
  return shorten(`the server cannot be reached: ${message === "" ? code.slice(0, -2) : message}`, MAX_REASON);
}
