import fc from "fast-check";
import { oddAnswer, oddAnswerArbitrary } from "./odd-answers";
import { okAnswer, statusAnswer, type RawAnswer } from "./raw-answer";
import { replyBytes, type ReplyBytes, type Rpc } from "./reply-bytes";
import { messageArbitrary, secretArbitrary, spoken, type MessagePart } from "./secret-texts";

/** What a driver answers to one attempt. */
export type Reply =
  | { readonly kind: "message"; readonly message: ReplyBytes }
  | { readonly kind: "status"; readonly code: number; readonly text: readonly MessagePart[] }
  | {
      readonly kind: "odd";
      readonly name: string;
      readonly message: ReplyBytes;
      readonly text: readonly MessagePart[];
    };

/** A step of a resource whose calls of one RPC are answered so, and what is done with the resource afterwards. */
export interface ReplyCase {
  readonly rpc: Rpc;
  /** Answers to the first attempts; the later ones are answered as they should be. */
  readonly replies: readonly Reply[];
  /** Answers to the first revokes that follow a grant whose credentials are of no use. */
  readonly revokes: readonly Reply[];
  /** The program names the bucket; else the name is computed. */
  readonly named: boolean;
  /** With what the user goes on after a failed step. */
  readonly next: "up" | "destroy";
  /** The call that finds another driver: of a Driver, or of a bucket that is to be deleted. */
  readonly asks: "driver" | "bucket";
  readonly secrets: {
    readonly parameter: string;
    readonly keyId: string;
    readonly secretKey: string;
  };
}

const code = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 16 }) },
  { weight: 1, arbitrary: fc.constantFrom(17, 99, 2 ** 31 - 1) },
);

function reply(rpc: Rpc): fc.Arbitrary<Reply> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("message" as const), message: replyBytes(rpc) }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant("status" as const), code, text: messageArbitrary }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("odd" as const),
        name: oddAnswerArbitrary,
        message: replyBytes(rpc),
        text: messageArbitrary,
      }),
    },
  );
}

const secrets = fc.record({ parameter: secretArbitrary, keyId: secretArbitrary, secretKey: secretArbitrary });

function caseOf(rpc: Rpc): fc.Arbitrary<ReplyCase> {
  return fc.record({
    rpc: fc.constant(rpc),
    replies: fc.array(reply(rpc), { minLength: 1, maxLength: 4 }),
    revokes: rpc === "grant" ? fc.array(reply("revoke"), { maxLength: 2 }) : fc.constant([]),
    named: fc.boolean(),
    next: fc.constantFrom("up" as const, "destroy" as const),
    asks: fc.constantFrom("driver" as const, "bucket" as const),
    secrets,
  });
}

/** Cases of all RPCs; the driver's name is asked for once per connection, and costs one. */
export const caseArbitrary: fc.Arbitrary<ReplyCase> = fc.oneof(
  { weight: 1, arbitrary: caseOf("getInfo") },
  { weight: 4, arbitrary: caseOf("create") },
  { weight: 6, arbitrary: caseOf("grant") },
  { weight: 3, arbitrary: caseOf("delete") },
  { weight: 3, arbitrary: caseOf("revoke") },
);

/** What goes over the wire. @param known Secrets that the driver may repeat in its messages. */
export function answerOf(given: Reply, known: readonly string[]): RawAnswer {
  switch (given.kind) {
    case "message":
      return okAnswer(given.message.bytes);
    case "status":
      return statusAnswer(given.code, spoken(given.text, known));
    case "odd":
      return oddAnswer(given.name)(given.message.bytes, spoken(given.text, known));
  }
}
