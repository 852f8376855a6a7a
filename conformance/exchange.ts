import { status } from "@grpc/grpc-js";
import { codeName } from "../provider/driver/call/codes";
import { redact } from "../provider/driver/secrets/redaction";
import { isRecord } from "../provider/dynamic/values";
import { hasBrokenText } from "./broken-text";
import { wordsOf } from "./opening";
import type { ReportMask } from "./report-mask";
import type { Rpc } from "./rpc";
import type { WireReply } from "./wire";

/** One call and its end. The texts are fit for a report: without secrets and values of parameters. */
export interface Exchange<Reply = unknown> {
  readonly rpc: string;
  /** What was sent, in words. */
  readonly sent: string;
  /** What came back, in words. */
  readonly answered: string;
  /** The status code that the driver sent; `undefined` if it sent none. */
  readonly code: number | undefined;
  /** The driver's words, secrets masked. */
  readonly message: string;
  readonly details: boolean;
  /** Why there is no status. */
  readonly lost: string | undefined;
  /** True if there was no answer for as long as a call may take. */
  readonly late: boolean;
  /** True if the call was sent before, and the driver said that it cannot do it now. */
  readonly repeated: boolean;
  /** True if the driver cannot have read the request. */
  readonly neverSent: boolean;
  /** True if the caller itself made an answer impossible, so that its absence is no fault. */
  readonly deliberate: boolean;
  /** True if the message contains the name or id of an object that the request names. */
  readonly namesObject: boolean;
  /** True if the message, before it was masked, has one of the words. Case and separators do not matter. */
  mentions(words: readonly string[]): boolean;
  /** The first of the keys of a map that the message has as whole words, before it was masked. */
  mentionedKey(keys: Iterable<string>): string | undefined;
  /** The reply of an OK; `undefined` too if its bytes are no such message. */
  readonly reply: Reply | undefined;
  /** True if a string of the reply is no UTF-8, so that a strict caller cannot read it. */
  readonly brokenText: boolean;
}

/** What was sent for an exchange. */
export interface Request {
  readonly bytes: Uint8Array;
  /** Names and ids of the objects it is about. */
  readonly objects: readonly string[];
  readonly deliberate: boolean;
}

const longestShown = 80;

/** Puts a call and its end into words. */
export function exchangeOf<Req, Reply>(
  rpc: Rpc<Req, Reply>,
  request: Request,
  wire: WireReply,
  reply: Reply | undefined,
  mask: ReportMask,
): Exchange<Reply> {
  const message = mask.applyToDriverText(wire.message);
  const plainMessage = plain(wire.message);
  return {
    rpc: rpc.name,
    sent: `${rpc.name} ${shown(rpc, rpc.requestType, request.bytes, mask)}`,
    answered: answerText(rpc, { ...wire, message }, reply !== undefined, mask),
    code: wire.code,
    message,
    details: wire.details,
    lost: wire.lost,
    late: wire.late,
    repeated: false,
    neverSent: wire.neverSent,
    deliberate: request.deliberate,
    namesObject: request.objects.some((name) => name !== "" && wire.message.includes(name)),
    mentions: (words) => words.some((word) => plainMessage.includes(plain(word))),
    mentionedKey: (keys) => [...keys].find((key) => wholeWords(key).test(wire.message)),
    reply,
    brokenText: reply !== undefined && hasBrokenText(wire.body, reply),
  };
}

/** A code that a driver gives where the same call may succeed in a moment. */
const passingCodes = new Set<number | undefined>([
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
  status.UNAVAILABLE,
]);

/** True if the same call may be answered otherwise in a moment. */
export function isPassing({ code }: Pick<Exchange, "code">): boolean {
  return passingCodes.has(code);
}

/** True if the driver said that it, or its backend, cannot do it now, and not that another call is in the way. */
export function isBusy(exchange: Pick<Exchange, "code">): boolean {
  return isPassing(exchange) && exchange.code !== status.ABORTED;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** A key in any case and with any separators, where no longer name has it. */
function wholeWords(key: string): RegExp {
  const words = wordsOf(key).join("[\\s_.-]*");
  return words === "" ? /(?!)/ : new RegExp(`(?<![A-Za-z0-9_-])${words}(?![A-Za-z0-9_-])`, "i");
}

function answerText<Req, Reply>(
  rpc: Rpc<Req, Reply>,
  { code, message, body, lost = "unknown" }: WireReply,
  readable: boolean,
  mask: ReportMask,
): string {
  if (code === undefined) return `no status: ${mask.apply(lost)}`;
  if (code !== 0) return `${codeText(code)}: ${message === "" ? "(no message)" : message}`;
  if (body === undefined) return "OK (0) without a whole reply message";
  return `OK (0) ${readable ? shown(rpc, rpc.replyType, body, mask) : `with ${body.length} bytes that are no ${rpc.replyType}`}`;
}

/** `NOT_FOUND (5)`. */
export function codeText(code: number): string {
  const name = codeName(code);
  return name.startsWith("code ") ? name : `${name} (${code})`;
}

function shown(
  { contract }: Pick<Rpc<unknown, unknown>, "contract">,
  type: string,
  bytes: Uint8Array,
  mask: ReportMask,
): string {
  try {
    const { json } = redact(contract, type, bytes);
    const text = JSON.stringify(json, (key, value: unknown) => {
      // Parameters and contexts may hold secrets, hence only their keys are shown.
      if (mapFields.has(key) && isRecord(value)) return Object.keys(value).map(shortened);
      if (typeof value !== "string") return value;
      return shortened(objectFields.has(key) ? mask.apply(value) : mask.applyToDriverText(value));
    });
    return mask.apply(text);
  } catch {
    return `(${bytes.length} bytes that are no ${type})`;
  }
}

const mapFields = new Set(["parameters", "deleteContext", "revokeAccessContext"]);

/** Without these nobody could find the object. */
const objectFields = new Set(["name", "bucketId", "deploymentId", "accountId"]);

function shortened(text: string): string {
  if (text.length <= longestShown) return text;
  return `${text.slice(0, longestShown)}… (${Buffer.byteLength(text)} bytes)`;
}
