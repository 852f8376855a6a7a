import { isRecord } from "../../../provider/dynamic/values";
import { diagnostics } from "../end-to-end/output";

/** A call to a driver of the proposal's contract, as the trace shows it. */
export interface TracedCall {
  readonly rpc: string;
  /** Name of the code, `OK` among them. */
  readonly code: string;
  /** By the names of the fields in JSON, secrets redacted. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Calls that a command with PULUMI_COSI_TRACE=1 made, in the order in which it says them. */
export function tracedCalls(text: string): TracedCall[] {
  const lines = (diagnostics(text) || text).matchAll(
    /\brpc \/cosi\.v1\.CosiController\/(\w+) (\w+) .*? at \S+ (\{.*?\})(?: → .*)?$/gm,
  );
  return [...lines].map(([, rpc = "", code = "", json = ""]) => {
    const request: unknown = JSON.parse(json);
    return { rpc, code, request: isRecord(request) ? request : {} };
  });
}

/** The same by name only. */
export function rpcsOf(text: string): string[] {
  return tracedCalls(text).map(({ rpc }) => rpc);
}
