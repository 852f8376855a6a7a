import type { ContractName } from "../contracts/contract";
import { codeName } from "./codes";
import { redact } from "./redaction";
import { secretMask } from "./secret-mask";

/** Environment variable that makes every RPC a line of output, `PULUMI_COSI_TRACE=1`. */
const variable = "PULUMI_COSI_TRACE";

interface TracedMethod {
  readonly path: string;
  readonly requestType: string;
  readonly replyType: string;
}

/** Writes one line for an RPC, secrets redacted, if the user asked for it. */
export function traceCall(
  contract: ContractName,
  method: TracedMethod,
  request: Uint8Array,
  reply: Uint8Array | undefined,
  code: number,
  milliseconds: number,
): void {
  if (process.env[variable] !== "1") return;
  const sent = show(contract, method.requestType, request);
  const received = reply === undefined ? "" : ` → ${show(contract, method.replyType, reply)}`;
  const line = `rpc ${method.path} ${codeName(code)} ${milliseconds} ms ${sent}${received}`;
  process.stdout.write(`${secretMask.apply(line)}\n`);
}

function show(contract: ContractName, type: string, bytes: Uint8Array): string {
  try {
    return JSON.stringify(redact(contract, type, bytes).json);
  } catch {
    return `(${bytes.length} bytes that are no ${type})`;
  }
}
