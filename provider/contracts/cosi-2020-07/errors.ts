import { status } from "@grpc/grpc-js";
import type { ErrorReading, Verb } from "../contract";

/** The verbs for which the proposal names errors. */
type NamedVerb = Exclude<Verb, "identify" | "status">;

/**
 * The proposal's names for errors, and the gRPC codes with which a driver may say them too; the first is the one that
 * the caller goes on by. A code that several names share stands for the first of them.
 * Source: COSI proposal of 2020-07-08, gRPC Definitions; codes decided.
 */
const names: Readonly<Record<NamedVerb, ReadonlyMap<string, readonly number[]>>> = {
  create: new Map([
    ["CREATE_INVALID_ARGUMENT", [status.INVALID_ARGUMENT]],
    ["CREATE_INVALID_PROTOCOL", [status.INVALID_ARGUMENT]],
    ["CREATE_ALREADY_EXISTS", [status.ALREADY_EXISTS]],
    ["CREATE_INVALID_CREDENTIALS", [status.UNAUTHENTICATED, status.PERMISSION_DENIED]],
    ["CREATE_INTERNAL_ERROR", [status.INTERNAL]],
  ]),
  delete: new Map([
    ["DELETE_BUCKET_DOESNOT_EXIST", [status.NOT_FOUND]],
    ["DELETE_DELETE_INPROGRESS", [status.ABORTED]],
    ["DELETE_INVALID_CREDENTIALS", [status.UNAUTHENTICATED, status.PERMISSION_DENIED]],
    ["DELETE_INTERNAL_ERROR", [status.INTERNAL]],
    ["DELETE_INVALID_ARGUMENT", [status.INVALID_ARGUMENT]],
  ]),
  grant: new Map([
    ["GRANT_BUCKET_DOESNOT_EXIST", [status.NOT_FOUND]],
    ["GRANT_INVALID_CREDENTIALS", [status.UNAUTHENTICATED, status.PERMISSION_DENIED]],
    ["GRANT_INTERNAL_ERROR", [status.INTERNAL]],
    ["GRANT_INVALID_ARGUMENT", [status.INVALID_ARGUMENT]],
    ["GRANT_INVALID_PRINCIPAL", [status.INVALID_ARGUMENT]],
  ]),
  revoke: new Map([
    // Drivers send a bare NOT_FOUND for other missing things, so the code alone is not this name.
    ["REVOKE_BUCKET_DOESNOT_EXIST", []],
    ["REVOKE_INVALID_CREDENTIALS", [status.UNAUTHENTICATED, status.PERMISSION_DENIED]],
    ["REVOKE_INTERNAL_ERROR", [status.INTERNAL]],
    ["REVOKE_INVALID_ARGUMENT", [status.INVALID_ARGUMENT]],
    ["REVOKE_INVALID_PRINCIPAL", [status.INVALID_ARGUMENT]],
  ]),
};

/** A word of a message that may be a name of the proposal. */
const word = /(?<![A-Z0-9_])[A-Z]+(?:_[A-Z]+)+(?![A-Z0-9_])/g;

const bucketIsGone = "the driver says that the bucket does not exist";

/** What more than its code an error says. */
const meanings: ReadonlyMap<string, Omit<ErrorReading, "code" | "name">> = new Map([
  ["DELETE_BUCKET_DOESNOT_EXIST", { done: `${bucketIsGone}; it counts as deleted` }],
  ["REVOKE_BUCKET_DOESNOT_EXIST", { done: `${bucketIsGone}, so it grants nothing any more` }],
  ["DELETE_DELETE_INPROGRESS", { underWay: true }],
  [
    "REVOKE_INVALID_PRINCIPAL",
    {
      next: "the access may still be live: look for it in the store, and in the driver's log for the reason, then run the command again",
    },
  ],
]);

/**
 * Reads an answer other than OK. The name in the driver's words wins over the code; words with several names tell
 * nothing.
 */
export function errorReader(verb: NamedVerb): (code: number, said: string) => ErrorReading {
  const known = names[verb];
  return (code, said) => {
    const found = new Set((said.match(word) ?? []).filter((candidate) => known.has(candidate)));
    const name = found.size === 1 ? [...found][0] : nameOfCode(known, code);
    if (name === undefined) return code === status.UNIMPLEMENTED ? { code, next: unimplemented } : { code };
    const codes = known.get(name) ?? [];
    return { code: codes.includes(code) ? code : codeOf(name, codes), name, ...meanings.get(name) };
  };
}

function nameOfCode(known: ReadonlyMap<string, readonly number[]>, code: number): string | undefined {
  return [...known].find(([, codes]) => codes.includes(code))?.[0];
}

function codeOf(name: string, codes: readonly number[]): number {
  return codes[0] ?? (name.endsWith("_DOESNOT_EXIST") ? status.NOT_FOUND : status.UNKNOWN);
}

const unimplemented =
  "the Driver is set to contract cosi-2020-07 (service cosi.v1.CosiController of the proposal of 2020-07-08): " +
  "correct its input contract, or point it at a driver that serves this one, then run the command again";
