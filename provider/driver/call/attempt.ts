import { status } from "@grpc/grpc-js";
import type { ContractName, UnaryMethod, Verb } from "../../contracts/contract";
import { contractTraits } from "../../contracts/traits";
import { errorText } from "../../dynamic/error-text";
import { StatusError, type Channel } from "../connect/channel";
import type { Endpoint } from "../connect/endpoint";
import type { DriverOutput } from "../process/driver-output";
import { namesIn, redactorOf, type Redacted, type Redactor } from "../secrets/redaction";
import { secretMask } from "../secrets/secret-mask";
import { ownerMetadata, requestMetadata } from "./owner";
import type { Failure } from "./failure";
import { readOwnStatus } from "./own-status";
import { withOutput } from "./said-in-output";
import { traceCall } from "./trace";

/** Where an attempt is made, and the bounds of it. */
export interface AttemptSettings {
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly contract: ContractName;
  /** Name of the driver, which stands in plain sight with its endpoint. @default none */
  readonly driverName?: string;
  /** Number of the attempt within its call, from 1. */
  readonly attempt: number;
  /** For whom the call makes something. @default it makes nothing */
  readonly owner?: string | undefined;
  /** What it makes something for. @default the contract has a name for it */
  readonly request?: string | undefined;
  readonly timeoutMilliseconds: number;
  /** What is shown of the driver. @default it was not started for the run, and is given no secrets by us */
  readonly output?: DriverOutput | undefined;
}

/**
 * Sends a request once and reads the reply: its secrets are kept out of every later text, and the trace tells of it.
 *
 * @throws Error before anything is sent if the package lacks what it needs to find the secrets of a reply.
 */
export async function attemptCall<Request, Reply>(
  settings: AttemptSettings,
  method: UnaryMethod<Request, Reply>,
  body: Uint8Array,
): Promise<{ reply: Reply } | Failure> {
  const result = await sendOnce(settings, method, body);
  return "reply" in result ? result : withOutput(result, method, settings.contract, settings.output);
}

async function sendOnce<Request, Reply>(
  settings: AttemptSettings,
  method: UnaryMethod<Request, Reply>,
  body: Uint8Array,
): Promise<{ reply: Reply } | Failure> {
  const { channel, endpoint, driverName = "", contract, attempt, timeoutMilliseconds, output } = settings;
  const request = redactorOf(contract, method.requestType)(body);
  const plain: InPlainSight = { names: namesIn(request), places: [driverName, endpoint.address] };
  rememberSecrets(request, plain);
  const redactReply = redactorOf(contract, method.replyType);
  const started = Date.now();
  let failure: Failure | undefined;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await channel.unary(method.path, body, timeoutMilliseconds, metadataOf(settings));
    return { reply: readReply(method, bytes, redactReply, plain) };
  } catch (error) {
    failure = read(toFailure(error, Date.now() - started >= timeoutMilliseconds), method, contract);
    // Read first: a mask that goes by words may hit the name of an error.
    failure = { ...failure, reason: output?.mask(failure.reason) ?? failure.reason };
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
      mask: output?.mask,
    });
  }
}

function metadataOf({ owner, request }: AttemptSettings): Readonly<Record<string, string>> {
  return {
    ...(owner === undefined ? {} : { [ownerMetadata]: owner }),
    ...(request === undefined ? {} : { [requestMetadata]: request }),
  };
}

class UndecodableReply extends Error {
  constructor(bytes: number) {
    super(`the driver answered OK, but its reply of ${bytes} bytes cannot be decoded`);
  }
}

/** What everybody sees, and a driver may repeat among its secrets. */
interface InPlainSight {
  /** Names and ids in the request. */
  readonly names: readonly string[];
  /** Name and address of the driver; a part of them, such as a domain, is no secret either. */
  readonly places: readonly string[];
}

function readReply<Request, Reply>(
  method: UnaryMethod<Request, Reply>,
  bytes: Uint8Array,
  redactReply: Redactor,
  { names, places }: InPlainSight,
): Reply {
  try {
    const reply = method.decode(bytes);
    const redacted = redactReply(bytes);
    rememberSecrets(redacted, { names: [...names, ...namesIn(redacted)], places });
    return reply;
  } catch {
    // The parser's own text may quote what it could not read. What is at fault is the bytes: see redactorOf.
    throw new UndecodableReply(bytes.length);
  }
}

/** Keeps the secrets of a message out of every later text, but for what stands in plain sight. */
function rememberSecrets({ secrets }: Redacted, { names, places }: InPlainSight): void {
  const shown = new Set(names);
  for (const secret of secrets) {
    const isPlace = places.some((place) => place.includes(secret));
    if (!shown.has(secret) && !isPlace) secretMask.remember(secret);
  }
}

/** The failure in the words of a contract that has names of its own for errors. */
function read(
  failure: Failure,
  { verb, readError }: Pick<UnaryMethod<never, unknown>, "verb" | "readError">,
  contract: ContractName,
): Failure {
  if (failure.undecodable) return { ...failure, issued: issuesCredential(contract, verb) };
  if (readError === undefined) return failure;
  const reading = readError(failure.code, failure.reason);
  return { ...failure, code: reading.code, reading };
}

/** True if a call that is answered OK has made a credential. */
function issuesCredential(contract: ContractName, verb: Verb): boolean {
  return verb === "grant" || (verb === "create" && contractTraits[contract].grantsAtCreate);
}

/** @param overdue The deadline had passed when the attempt ended. */
function toFailure(error: unknown, overdue: boolean): Failure {
  if (error instanceof StatusError) {
    const own = readOwnStatus(error);
    if (own !== undefined) return own;
    return {
      code: error.code,
      reason: secretMask.apply(error.reason),
      undecodable: false,
      unanswered: overdue && error.code === status.DEADLINE_EXCEEDED,
    };
  }
  if (error instanceof UndecodableReply) {
    return { code: status.INTERNAL, reason: error.message, undecodable: true };
  }
  // The channel was closed under the call, since its connection is gone; whether the request left is not known.
  return { code: status.UNAVAILABLE, reason: secretMask.apply(errorText(error)), undecodable: false };
}
