import type { ContractName } from "../../contracts/contract";
import { showUser } from "../process/user-lines";
import { codeName } from "./codes";
import { redact } from "../secrets/redaction";
import { secretMask } from "../secrets/secret-mask";

/** Environment variable that makes every RPC a line of output, `PULUMI_COSI_TRACE=1`. */
const variable = "PULUMI_COSI_TRACE";

/** One attempt of an RPC. */
export interface TracedAttempt {
  readonly contract: ContractName;
  readonly method: {
    readonly path: string;
    readonly requestType: string;
    readonly replyType: string;
  };
  /** Address of the driver. */
  readonly endpoint: string;
  /** From 1. */
  readonly attempt: number;
  readonly request: Uint8Array;
  /** Absent if none came. */
  readonly reply: Uint8Array | undefined;
  readonly code: number;
  /** The driver's words for a code other than OK. */
  readonly reason: string | undefined;
  readonly milliseconds: number;
  /** Masks the secrets that the driver was given. @default it was not started here, and was given none */
  readonly mask?: ((text: string) => string) | undefined;
}

/** Writes one line for an attempt, secrets redacted, if the user asked for it. */
export function traceCall(attempt: TracedAttempt): void {
  if (process.env[variable] !== "1") return;
  const { contract, method, code, reason, request, reply, mask = (text: string) => text } = attempt;
  const line = [
    `rpc ${method.path} ${codeName(code)} ${attempt.milliseconds} ms attempt ${attempt.attempt}`,
    `at ${attempt.endpoint}`,
    mask(show(contract, method.requestType, request)),
    ...(reply === undefined ? [] : ["→", mask(show(contract, method.replyType, reply))]),
    ...(reason === undefined ? [] : ["→", mask(JSON.stringify(reason))]),
  ].join(" ");
  showUser(secretMask.apply(line));
}

function show(contract: ContractName, type: string, bytes: Uint8Array): string {
  try {
    return JSON.stringify(redact(contract, type, bytes).json);
  } catch {
    return `(${bytes.length} bytes that are no ${type})`;
  }
}
