import { status } from "@grpc/grpc-js";
import type { ContractName, UnaryMethod } from "../../contracts/contract";
import { errorText } from "../../dynamic/error-text";
import { StatusError, type Channel } from "../connect/channel";
import type { Endpoint } from "../connect/endpoint";
import { redact } from "../secrets/redaction";
import { secretMask } from "../secrets/secret-mask";
import { traceCall } from "./trace";

/** What befell an attempt, in the terms of a status. */
export interface Failure {
  readonly code: number;
  /** Secrets masked. */
  readonly reason: string;
  /** The driver answered OK, with something that cannot be read. */
  readonly undecodable: boolean;
}

/** Where an attempt is made, and the bounds of it. */
export interface AttemptSettings {
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly contract: ContractName;
  /** Number of the attempt within its call, from 1. */
  readonly attempt: number;
  readonly timeoutMilliseconds: number;
}

/** Sends a request once and reads the reply: its secrets are kept out of every later text, and the trace tells of it. */
export async function attemptCall<Request, Reply>(
  { channel, endpoint, contract, attempt, timeoutMilliseconds }: AttemptSettings,
  method: UnaryMethod<Request, Reply>,
  body: Uint8Array,
): Promise<{ reply: Reply } | Failure> {
  const started = Date.now();
  let failure: Failure | undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await channel.unary(method.path, body, timeoutMilliseconds);
    return { reply: readReply(contract, method, bytes) };
  } catch (error) {
    failure = toFailure(error);
    return failure;
  } finally {
    traceCall({
      contract,
      method,
      endpoint: endpoint.address,
      attempt,
      request: body,
      reply: bytes,
      code: failure?.code ?? status.OK,
      reason: failure?.reason,
      milliseconds: Date.now() - started,
    });
  }
}

class UndecodableReply extends Error {
  constructor(bytes: number) {
    super(`the driver answered OK, but its reply of ${bytes} bytes cannot be decoded`);
  }
}

function readReply<Request, Reply>(
  contract: ContractName,
  method: UnaryMethod<Request, Reply>,
  bytes: Uint8Array,
): Reply {
  try {
    const reply = method.decode(bytes);
    for (const secret of redact(contract, method.replyType, bytes).secrets) secretMask.remember(secret);
    return reply;
  } catch {
    // The parser's own text may quote what it could not read.
    throw new UndecodableReply(bytes.length);
  }
}

/** What grpc-js makes of an OK that did not come with exactly one reply of at most 4 MiB. */
const unreadableReplies = new Map<number, RegExp>([
  [status.RESOURCE_EXHAUSTED, /^Received message larger than max/],
  [status.UNIMPLEMENTED, /^(No message|Too many responses) received$/],
]);

function toFailure(error: unknown): Failure {
  if (error instanceof StatusError) {
    if (unreadableReplies.get(error.code)?.test(error.reason) === true) {
      // The driver did the work: it is not out of capacity, and has the call, whatever the code says.
      const reason = `the driver answered OK, but its reply cannot be read: ${error.reason}`;
      return { code: status.INTERNAL, reason, undecodable: true };
    }
    return { code: error.code, reason: secretMask.apply(error.reason), undecodable: false };
  }
  if (error instanceof UndecodableReply) {
    return { code: status.INTERNAL, reason: error.message, undecodable: true };
  }
  // The channel was closed under the call, since its connection is gone; whether the request left is not known.
  return { code: status.UNAVAILABLE, reason: secretMask.apply(errorText(error)), undecodable: false };
}
