import fc from "fast-check";
import { frame, grpcHeaders, statusAnswer, type RawAnswer } from "./raw-answer";

/** What befalls an answer beneath the messages: made of the bytes of one that would be fine, and of a text. */
export type OddAnswer = (message: Uint8Array, text: string) => RawAnswer;

const ok = { "grpc-status": "0" };
const more = { headers: grpcHeaders, trailers: ok, end: "trailers" } as const;
/** A text as a header can carry it. */
const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").trim();

const oddAnswers: Readonly<Record<string, OddAnswer>> = {
  "no message": () => ({ ...more, body: Buffer.alloc(0) }),
  "no message and no trailers of their own": () => ({ ...more, trailers: ok }),
  "a frame that ends too early": (message) => ({ ...more, body: frame(message, 0, message.length + 9) }),
  "a frame that ends too late": (message) => ({
    ...more,
    body: Buffer.concat([frame(message), Buffer.from("tail")]),
  }),
  "half of a frame's header": () => ({ ...more, body: Buffer.from([0, 0, 0]) }),
  "a frame of 4 GiB": (message) => ({ ...more, body: frame(message, 0, 0xffffffff) }),
  "a message that calls itself compressed": (message) => ({ ...more, body: frame(message, 1) }),
  "a message that is not the gzip it says": (message) => ({
    ...more,
    headers: { ...grpcHeaders, "grpc-encoding": "gzip" },
    body: frame(message, 1),
  }),
  "an unknown encoding": (message) => ({
    ...more,
    headers: { ...grpcHeaders, "grpc-encoding": "rot13" },
    body: frame(message, 1),
  }),
  "no status": (message) => ({ ...more, body: frame(message), trailers: {} }),
  "a status that is no number": (message) => ({
    ...more,
    body: frame(message),
    trailers: { "grpc-status": "fine" },
  }),
  "a status below zero": (message) => ({ ...more, body: frame(message), trailers: { "grpc-status": "-1" } }),
  "a status of many digits": (message) => ({
    ...more,
    body: frame(message),
    trailers: { "grpc-status": "1e99" },
  }),
  "a message behind which comes a refusal": (message, text) => ({
    ...statusAnswer(13, text),
    body: frame(message),
  }),
  "a status message that is badly escaped": (_, text) => ({
    ...more,
    trailers: { "grpc-status": "13", "grpc-message": `%ZZ%${headerText(text)}%` },
  }),
  "trailers of other kinds": (_, text) =>
    statusAnswer(14, text, {
      "x-secret": headerText(text),
      "grpc-status-details-bin": Buffer.from(text).toString("base64"),
      "retry-after": "never",
      "grpc-retry-pushback-ms": "-7",
    }),
  "binary trailers that are no base64": () => statusAnswer(13, "odd", { "x-odd-bin": "%%% no base64" }),
  "a web page": (_, text) => ({
    headers: { ":status": 200, "content-type": "text/html" },
    body: Buffer.from(`<html>${text}</html>`),
    trailers: {},
    end: "trailers",
  }),
  ...Object.fromEntries(
    [302, 400, 401, 403, 404, 429, 500, 502, 503, 504].map((code): [string, OddAnswer] => [
      `HTTP ${code}`,
      (_, text) => ({
        headers: { ":status": code, "content-type": "text/plain" },
        body: Buffer.from(text),
        trailers: {},
        end: "trailers",
      }),
    ]),
  ),
  ...Object.fromEntries(
    [0, 1, 2, 5, 7, 8, 11, 12].flatMap((reset): [string, OddAnswer][] => [
      [`a stream that is reset with ${reset}`, () => ({ trailers: {}, end: { reset } })],
      [
        `a stream that is reset with ${reset} behind the message`,
        (message) => ({ headers: grpcHeaders, body: frame(message), trailers: {}, end: { reset } }),
      ],
    ]),
  ),
};

const cuts: Readonly<Record<string, OddAnswer>> = {
  "a connection that ends": () => ({ trailers: {}, end: "cut" }),
  "a connection that ends within the message": (message) => ({
    headers: grpcHeaders,
    body: frame(message, 0, message.length + 1),
    trailers: {},
    end: "cut",
  }),
  "a message above 4 MiB": () => ({ ...more, body: frame(Buffer.alloc(4 * 1024 * 1024 + 1, 0x41)) }),
};

export const oddAnswerNames = [...Object.keys(oddAnswers), ...Object.keys(cuts)];

/** The answer of this name. */
export function oddAnswer(name: string): OddAnswer {
  const answer = oddAnswers[name] ?? cuts[name];
  if (answer === undefined) throw new Error(`there is no odd answer ${name}`);
  return answer;
}

/** Names of odd answers; those that cost a connection, or much memory, are rare. */
export const oddAnswerArbitrary: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...Object.keys(oddAnswers)) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(cuts)) },
);
