import { status } from "@grpc/grpc-js";
import { unknownCompression, type StatusError } from "../connect/channel";
import type { Failure } from "./failure";

/**
 * What grpc-js makes of an OK that did not come with exactly one reply of at most 4 MiB that it can unpack. Its text for
 * bytes that are no message is not among them, as the channel takes any bytes.
 */
const unreadableReplies = new Map<number, RegExp>([
  [status.INTERNAL, new RegExp(`^(${unknownCompression}|Failed to decompress )`)],
  [status.RESOURCE_EXHAUSTED, /^Received message (larger than max|that decompresses to a size larger than) /],
  [status.UNIMPLEMENTED, /^(No message|Too many responses) received$/],
]);

/** What grpc-js makes of a stream that was reset with ENHANCE_YOUR_CALM or INADEQUATE_SECURITY. */
const resets = new Map<number, RegExp>([
  [status.RESOURCE_EXHAUSTED, /^Bandwidth exhausted or memory limit exceeded$/],
  [status.PERMISSION_DENIED, /^Protocol not secure enough$/],
]);

/**
 * What grpc-js makes of an answer whose header Node does not take, which costs the whole connection. That of one header,
 * 64 KB as it is encoded, is a constant of Node's HTTP/2 library: no option of grpc-js or of Node moves it.
 */
const unreadableHeader =
  /^Received RST_STREAM with code 2 triggered by internal client error: (Protocol error|Too many CONTINUATION frames following a HEADER frame)$/;

/** What grpc-js makes of an answer without a gRPC status, under the code that it finds for the HTTP status. */
const httpAnswer = /^Received HTTP status code (\d+)$/;

/**
 * Reads a status that grpc-js made itself, under a code that a driver may answer too: no driver has said so, and none is
 * judged by it.
 *
 * @returns `undefined` for any other status, which is the driver's word or says by its code that none came.
 */
export function readOwnStatus({ code, reason, alone }: StatusError): Failure | undefined {
  if (unreadableReplies.get(code)?.test(reason) === true) {
    // The driver did the work: it is not out of capacity, and has the call, whatever the code says.
    const text = `the driver answered OK, but its reply cannot be read: ${reason}`;
    return { code: status.INTERNAL, reason: text, undecodable: true };
  }
  if (resets.get(code)?.test(reason) === true) return unheard(`the stream was reset: ${reason}`);
  if (code === status.INTERNAL && unreadableHeader.test(reason)) return tooLong(alone);
  const http = httpAnswer.exec(reason)?.[1];
  if (http === undefined) return undefined;
  return {
    ...unheard(`something between here and the driver answered HTTP ${http} in its place`),
    next: "check what is between here and the driver (a proxy, an ingress) and the Driver's endpoint, then run the command again",
  };
}

/**
 * An error of the driver's that gRPC cannot carry, nor its code. Another call that lost its connection to it is made again
 * as after any such loss, and so is the one that got it, until it is alone on the connection.
 *
 * @param alone No other call was under way beside this one, so that the answer was its own.
 */
function tooLong(alone: boolean): Failure {
  const next =
    "look into the driver's log for the error, have the driver shorten its text, then run the command again";
  const why = "as a rule an error text of the driver is longer than 64 KB, which gRPC cannot carry";
  return alone
    ? {
        code: status.INTERNAL,
        reason: `the driver's answer cannot be read, and its code is lost: ${why}`,
        undecodable: false,
        next,
        final: true,
      }
    : {
        ...unheard(
          `the connection was lost because of an answer that cannot be read, maybe to another call: ${why}`,
        ),
        next,
      };
}

/** What the driver did before, and whether it saw the call at all, is not known. */
function unheard(reason: string): Failure {
  return { code: status.UNAVAILABLE, reason, undecodable: false };
}
