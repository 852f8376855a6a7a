import { type handleUnaryCall, type Metadata, type sendUnaryData, status } from "@grpc/grpc-js";
import { ownerMetadata, requestMetadata } from "../../../provider/driver/call/owner";
import type { DriverError, ErrorKind } from "../driver-error";
import type { Log, LogFields } from "../log";
import { STATUS_CODE } from "./status";

/** How one RPC is served. */
export interface UnaryCall<Request, Response> {
  readonly rpc: string;
  /** What the call is about, in words for the error message: `create bucket "photos"`. */
  readonly attempt: (request: Request) => string;
  /** What the log line names; nothing secret. */
  readonly subject: (request: Request) => LogFields;
  /**
   * @param owner For whom the caller asks, if it says so.
   * @param id What the caller asks for, the same in each repeat, if it says so.
   */
  readonly answer: (request: Request, owner: string | undefined, id: string | undefined) => Promise<Response>;
  /** The contract's own name for an error, with which its message then begins. @default none */
  readonly errorName?: (error: unknown, kind: ErrorKind) => string | undefined;
}

function hexIn(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === "string" && /^[0-9a-f]{1,64}$/.test(value) ? value : undefined;
}

/**
 * Turns what a driver's core threw into what a contract tells its caller: what failed, on which object, why.
 *
 * @param attempt - what was tried, for example `create bucket "photos"`.
 */
export type Explain = (error: unknown, attempt: string) => DriverError;

/** Serves unary calls of any contract: errors become a status, every call becomes a line of the log. */
export class Calls {
  readonly #inFlight = new Set<Promise<void>>();

  constructor(
    private readonly log: Log,
    private readonly explain: Explain,
  ) {}

  /**
   * The handler of an RPC. A caller that hangs up changes nothing: the work goes on to its end, so that the same
   * call finds it done.
   */
  unary<Request, Response>(call: UnaryCall<Request, Response>): handleUnaryCall<Request, Response> {
    return ({ request, metadata }, callback) => {
      const start = performance.now();
      const line = (code: status, fields: LogFields = {}) => ({
        rpc: call.rpc,
        ...call.subject(request),
        code: status[code],
        ms: Math.round(performance.now() - start),
        ...fields,
      });
      const owner = hexIn(metadata, ownerMetadata);
      const id = hexIn(metadata, requestMetadata);
      const work = call
        .answer(request, owner, id)
        .then(
          (response) => {
            this.log.info("call", line(status.OK));
            callback(null, response);
          },
          (error: unknown) => {
            const { kind, message } = this.explain(error, call.attempt(request));
            const code = STATUS_CODE[kind];
            const name = call.errorName?.(error, kind);
            this.log.error("call failed", line(code, { error: name, reason: message }));
            const details = name === undefined ? message : `${name}: ${message}`;
            // Half a character, from whatever text is repeated there, has no form in a header.
            callback({ code, details: details.toWellFormed() });
          },
        )
        .catch((fault: unknown) => {
          this.#replyFailed(call.rpc, fault, callback);
        });
      this.#inFlight.add(work);
      void work.finally(() => this.#inFlight.delete(work));
    };
  }

  /** Tells a caller that waits, if it can still be told: one reply that cannot be sent must not end the driver for all. */
  #replyFailed<Response>(rpc: string, fault: unknown, callback: sendUnaryData<Response>): void {
    const reason = fault instanceof Error ? fault.message : String(fault);
    this.log.error("reply failed", { rpc, reason });
    try {
      callback({
        code: status.INTERNAL,
        details: `${rpc} has ended, but the driver cannot tell how: look at its log, then call again`,
      });
    } catch {
      // Then the call has been answered, or there is no way to its caller.
    }
  }

  /** Resolves once no call is at work, those of callers that hung up included. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }
}
