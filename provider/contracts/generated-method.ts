import type { Answer, UnaryMethod, Verb } from "./contract";

/** What ts-proto generates for one RPC. */
export interface GeneratedMethod<Request, Reply> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (value: Buffer) => Reply;
}

/** An RPC whose messages are called as it is, with `Request` and `Response` at the end, in the package of its service. */
export function method<Request, Reply>(
  verb: Verb,
  generated: GeneratedMethod<Request, Reply>,
): UnaryMethod<Request, Reply> {
  const { path } = generated;
  const rpc = path.slice(path.lastIndexOf("/") + 1);
  const service = path.slice(1, path.lastIndexOf("/"));
  const message = `${service.slice(0, service.lastIndexOf("."))}.${rpc}`;
  return {
    verb,
    path,
    requestType: `${message}Request`,
    replyType: `${message}Response`,
    encode: generated.requestSerialize,
    decode: (bytes) => generated.responseDeserialize(Buffer.from(bytes)),
  };
}

/** The answer with its reply in the package's words. */
export function withReply<Wire, Reply>(answer: Answer<Wire>, read: (wire: Wire) => Reply): Answer<Reply> {
  return { ...answer, reply: read(answer.reply) };
}

/** A map field of generated code. */
export function toMap(values: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(values));
}
