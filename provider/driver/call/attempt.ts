import { status } from "@grpc/grpc-js";
import type { ContractName, UnaryMethod } from "../../contracts/contract";
import { errorText } from "../../dynamic/error-text";
import { StatusError, type Channel } from "../connect/channel";
import type { Endpoint } from "../connect/endpoint";
import { namesIn, redactorOf, type Redactor } from "../secrets/redaction";
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

/**
 * Sends a request once and reads the reply: its secrets are kept out of every later text, and the trace tells of it.
 *
 * @throws Error before anything is sent if the package lacks what it needs to find the secrets of a reply.
 */
export async function attemptCall<Request, Reply>(
  { channel, endpoint, contract, attempt, timeoutMilliseconds }: AttemptSettings,
  method: UnaryMethod<Request, Reply>,
  body: Uint8Array,
): Promise<{ reply: Reply } | Failure> {
  const names = namesIn(redactorOf(contract, method.requestType)(body));
  const redactReply = redactorOf(contract, method.replyType);
  const started = Date.now();
  let failure: Failure | undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await channel.unary(method.path, body, timeoutMilliseconds);
    return { reply: readReply(method, bytes, redactReply, names) };
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

/** @param names What the request names in plain sight, which a driver may repeat among its secrets. */
function readReply<Request, Reply>(
  method: UnaryMethod<Request, Reply>,
  bytes: Uint8Array,
  redactReply: Redactor,
  names: readonly string[],
): Reply {
  try {
    const reply = method.decode(bytes);
    const redacted = redactReply(bytes);
    const shown = new Set([...names, ...namesIn(redacted)]);
    for (const secret of redacted.secrets) if (!shown.has(secret)) secretMask.remember(secret);
    return reply;
  } catch {
    // The parser's own text may quote what it could not read. What is at fault is the bytes: see redactorOf.
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
