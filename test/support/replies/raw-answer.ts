import type { OutgoingHttpHeaders } from "node:http2";

/** What is sent in answer to a call, frame by frame. */
export interface RawAnswer {
  /** Absent: none are sent. */
  readonly headers?: OutgoingHttpHeaders;
  /** Content of the DATA frames. Absent: none, and headers and trailers are one. */
  readonly body?: Uint8Array;
  readonly trailers: OutgoingHttpHeaders;
  /** The stream ends with its trailers, with RST_STREAM of this code, or with its connection. */
  readonly end: "trailers" | "cut" | { readonly reset: number };
}

export const grpcHeaders: OutgoingHttpHeaders = { ":status": 200, "content-type": "application/grpc" };

/** A gRPC frame; the flag of the first byte says whether the message is compressed. */
export function frame(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, message]);
}

/** OK with one message, as every server answers. */
export function okAnswer(message: Uint8Array): RawAnswer {
  return { headers: grpcHeaders, body: frame(message), trailers: { "grpc-status": "0" }, end: "trailers" };
}

/** A status other than OK. @param more Further trailers. */
export function statusAnswer(
  code: number | string,
  message: string,
  more: OutgoingHttpHeaders = {},
): RawAnswer {
  const trailers = { ...more, "grpc-status": String(code), "grpc-message": percentEncoded(message) };
  return { headers: grpcHeaders, trailers, end: "trailers" };
}

/** Source: gRPC over HTTP/2, Status-Message. */
function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
}
