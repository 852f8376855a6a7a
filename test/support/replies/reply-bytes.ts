import fc from "fast-check";
import type { paths } from "../cosi-v1alpha1";
import { secretArbitrary } from "./secret-texts";

/** An RPC of the contract, by its short name. */
export type Rpc = keyof typeof paths;

/** A message in answer to a call. */
export interface ReplyBytes {
  readonly bytes: Buffer;
  /** It must be read, it must be refused, or either may be. */
  readonly readable: "yes" | "no" | "maybe";
}

/** A number as protobuf writes it. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function field(number: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function mapEntry(number: number, key: string, value: string | Uint8Array): Buffer {
  return field(number, Buffer.concat([field(1, key), field(2, value)]));
}

const oddTexts = [
  "__proto__",
  "constructor",
  "toString",
  "\ufeffmarked",
  "a\u0000b",
  "ünï/cødé 𝒳",
  "..",
  " ",
];

/** An id as drivers make them, and as they should not; sometimes absent. */
const id: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }) },
  { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.toWellFormed()) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 3000 }).map((length) => "i".repeat(length)) },
);
const idField = fc.oneof(
  { weight: 9, arbitrary: id.map((text) => field(1, text)) },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
  // The last one counts.
  {
    weight: 1,
    arbitrary: fc.tuple(id, id).map(([first, last]) => Buffer.concat([field(1, first), field(1, last)])),
  },
);

const driverNameField = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom("fake.example.com", "FAKE.example.COM") },
    { weight: 2, arbitrary: fc.constantFrom("other.example.com", "", "-", "a..b", "x".repeat(64)) },
    { weight: 1, arbitrary: id },
  )
  .map((name) => field(1, name));

const s3Info = fc
  .tuple(fc.string({ maxLength: 20 }), fc.oneof(fc.nat(3), fc.integer({ min: 4, max: 2 ** 31 - 1 })))
  .map(([region, version]) =>
    field(1, Buffer.concat([field(1, region.toWellFormed()), varint(2 * 8), varint(version)])),
  );
const otherInfo = fc
  .tuple(fc.constantFrom(2, 3), fc.array(fc.string({ maxLength: 9 }), { maxLength: 3 }))
  .map(([number, texts]) =>
    field(number, Buffer.concat(texts.map((text, index) => field(index + 1, text.toWellFormed())))),
  );
const bucketInfoField = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(0), field(2, "")) },
  { weight: 4, arbitrary: fc.oneof(s3Info, otherInfo).map((info) => field(2, info)) },
);

const secretKeys = ["accessKeyID", "accessSecretKey", "accessToken", "privateKey"];
const foreignKeys = ["", "extra", "__proto__", "constructor", "hasOwnProperty", "Key-of/é"];
const anyCase = (keys: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom("as is", "as is", "lower", "upper", "Go"))
    .map(([key, how]) => {
      if (how === "lower") return key.toLowerCase();
      if (how === "upper") return key.toUpperCase();
      return how === "Go" ? key.replace("ID", "Id") : key;
    });
const address = fc
  .tuple(anyCase(["endpoint", "region"]), fc.constantFrom("http://127.0.0.1:9", "eu-1", ""))
  .map(([key, value]) => mapEntry(1, key, value));
const expiry = fc
  .constantFrom(
    "2027-01-02T03:04:05Z",
    "2027-01-02 03:04:05 +0000 UTC",
    "soon",
    "0001-01-01 00:00:00 +0000 UTC",
  )
  .map((value) => mapEntry(1, "expiryTs", value));
const secretEntry = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: anyCase(secretKeys) },
      { weight: 1, arbitrary: fc.constantFrom(...foreignKeys) },
    ),
    fc.oneof({ weight: 9, arbitrary: secretArbitrary }, { weight: 1, arbitrary: fc.constant("") }),
  )
  .map(([key, secret]) => mapEntry(1, key, secret));
/** All that a driver of S3 has to tell. */
const wholeS3 = fc
  .tuple(anyCase(["accessKeyID"]), secretArbitrary, anyCase(["accessSecretKey"]), secretArbitrary)
  .map(([keyId, one, secretKey, two]) =>
    Buffer.concat([mapEntry(1, keyId, one), mapEntry(1, secretKey, two)]),
  );
const details = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(wholeS3, fc.array(address, { maxLength: 2 })).map(joined) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof(secretEntry, secretEntry, address, expiry), { maxLength: 6 })
      .map((all) => Buffer.concat(all)),
  },
);
const entryName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("s3", "s3", "s3", "azure", "gcs") },
  { weight: 1, arbitrary: fc.constantFrom("S3", "Azure", "", ...oddTexts) },
);
const credentialsField = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(entryName, details).map(([name, content]) => mapEntry(2, name, content)) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.tuple(entryName, details), { maxLength: 3 })
      .map((entries) => Buffer.concat(entries.map(([name, content]) => mapEntry(2, name, content)))),
  },
  // Every entry is one that nobody asked for.
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 20, max: 200 })
      .map((count) =>
        Buffer.concat(Array.from({ length: count }, (_, index) => mapEntry(2, `entry-${index}`, ""))),
      ),
  },
);

function joined([first, rest]: readonly [Buffer, readonly Buffer[]]): Buffer {
  return Buffer.concat([first, ...rest]);
}

/** A field that no message of the contract has. */
const extraField = fc
  .tuple(
    fc.oneof(fc.integer({ min: 4, max: 40 }), fc.constant(2 ** 29 - 1)),
    fc.constantFrom(0, 1, 2, 5),
    fc.uint8Array({ maxLength: 12 }),
  )
  .map(([number, type, content]) => {
    const tag = varint(number * 8 + type);
    if (type === 0) return Buffer.concat([tag, varint(content.length)]);
    if (type === 2) return Buffer.concat([tag, varint(content.length), content]);
    return Buffer.concat([tag, Buffer.alloc(type === 1 ? 8 : 4, 0x41)]);
  });

const ownFields: Readonly<Record<Rpc, readonly fc.Arbitrary<Buffer>[]>> = {
  getInfo: [driverNameField],
  create: [idField, bucketInfoField],
  grant: [idField, credentialsField],
  delete: [],
  revoke: [],
};

/** Fields in any order, with others between them. */
function wellFormed(rpc: Rpc): fc.Arbitrary<Buffer> {
  const extra = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Buffer[]>([]) },
    { weight: 1, arbitrary: fc.array(extraField, { maxLength: 3 }) },
  );
  return fc
    .tuple(fc.tuple(...ownFields[rpc]), extra, fc.boolean())
    .map(([own, others, turned]) =>
      Buffer.concat(turned ? [...others, ...own.toReversed()] : [...own, ...others]),
    );
}

/** What no reader may take for a message. */
const garbage = fc.constantFrom(
  Buffer.from("ffffff", "hex"),
  Buffer.from("0aff0161", "hex"),
  Buffer.from("0b", "hex"),
  Buffer.from("0001", "hex"),
  Buffer.from("0aefefefef0f", "hex"),
  Buffer.from("<html>no gRPC</html>"),
);
/** A text that is no UTF-8. */
const brokenText = Buffer.from("0a02c328", "hex");
/** The last byte of a field's content is missing. */
const cutShort = (rpc: Rpc): fc.Arbitrary<Buffer> =>
  wellFormed(rpc).map((whole) => Buffer.concat([whole, Buffer.from([14 * 8 + 2, 9, 0x41])]));

/**
 * Fields of ours with the wire type of another kind of value. Before the others, a number may be as large as all that
 * comes behind it: a reader that takes it for a length swallows the rest.
 */
const otherWireType = (rpc: Rpc): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      wellFormed(rpc),
      fc.constantFrom(1, 2),
      fc.constantFrom(0, 0, 1, 5),
      fc.option(fc.nat(120), { nil: undefined, freq: 1 }),
      fc.boolean(),
    )
    .map(([whole, number, type, value = whole.length, before]) => {
      const tag = varint(number * 8 + type);
      const odd = Buffer.concat([tag, type === 0 ? varint(value) : Buffer.alloc(type === 1 ? 8 : 4, value)]);
      return Buffer.concat(before ? [odd, whole] : [whole, odd]);
    });
const flipped = (rpc: Rpc): fc.Arbitrary<Buffer> =>
  fc
    .tuple(wellFormed(rpc), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }))
    .map(([whole, flips]) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of flips) if (bytes.length > 0) bytes[at % bytes.length] = value;
      return bytes;
    });
const truncated = (rpc: Rpc): fc.Arbitrary<Buffer> =>
  fc
    .tuple(wellFormed(rpc), fc.nat())
    .map(([whole, at]) => whole.subarray(0, whole.length === 0 ? 0 : at % whole.length));
const twice = (rpc: Rpc): fc.Arbitrary<Buffer> =>
  fc.tuple(wellFormed(rpc), wellFormed(rpc)).map((both) => Buffer.concat(both));

/** Messages of every kind in answer to this RPC. */
export function replyBytes(rpc: Rpc): fc.Arbitrary<ReplyBytes> {
  const of = (
    readable: ReplyBytes["readable"],
    arbitrary: fc.Arbitrary<Uint8Array>,
  ): fc.Arbitrary<ReplyBytes> => arbitrary.map((bytes) => ({ bytes: Buffer.from(bytes), readable }));
  return fc.oneof(
    { weight: 8, arbitrary: of("yes", wellFormed(rpc)) },
    { weight: 1, arbitrary: of("yes", fc.constant(Buffer.alloc(0))) },
    { weight: 2, arbitrary: of("no", fc.oneof(garbage, cutShort(rpc))) },
    { weight: 1, arbitrary: of(ownFields[rpc].length === 0 ? "yes" : "no", fc.constant(brokenText)) },
    { weight: 2, arbitrary: of("maybe", otherWireType(rpc)) },
    { weight: 3, arbitrary: of("maybe", fc.oneof(flipped(rpc), truncated(rpc), twice(rpc))) },
    { weight: 1, arbitrary: of("maybe", fc.uint8Array({ maxLength: 60 })) },
  );
}
