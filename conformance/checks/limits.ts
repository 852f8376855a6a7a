import { status } from "@grpc/grpc-js";
import type {
  DriverCreateBucketResponse,
  DriverGrantBucketAccessResponse,
} from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { accountIdOf } from "../account-id";
import { filledMap, mapBytes, maximumMapBytes, maximumStringBytes } from "../bytes";
import type { Check, Problem } from "../check";
import type { Context } from "../context";
import type { Exchange } from "../exchange";
import { verdict, wantInvalid } from "../judge";
import type { ReportMask } from "../report-mask";
import type { TestedContract } from "../tested-contract";

interface Oversized {
  /** Words of which the message must have one. */
  readonly words: readonly string[];
  /** A driver of the older dialect does not know the field. */
  readonly skippable?: boolean;
  readonly size: string;
  readonly call: () => Promise<Exchange>;
}

async function oversizedCalls(context: Context): Promise<Oversized[]> {
  const { objectIdNames } = context.contract;
  const { bucketId } = await context.bucket();
  const access = context.accessFields(bucketId);
  const bucket = context.bucketFields();
  const long = (): string => context.names.next().padEnd(maximumStringBytes + 1, "x");
  const [key] = context.unknownParameter();
  const large = (map: ReadonlyMap<string, string>) => filledMap(map, key, maximumMapBytes + 1);
  const accountId = await accountIdOf(context, bucketId);
  const deleteContext = new Map(bucket.parameters);
  const revokeAccessContext = new Map(access.parameters);
  const string = `a string of ${maximumStringBytes + 1} bytes, where ${maximumStringBytes} are allowed`;
  const map = `a map of ${maximumMapBytes + 1} bytes, where ${maximumMapBytes} are allowed`;
  return [
    { words: ["name"], size: string, call: () => context.create({ ...bucket, name: long() }) },
    { words: objectIdNames, size: string, call: () => context.delete({ bucketId: long(), deleteContext }) },
    { words: objectIdNames, size: string, call: () => context.grant({ ...access, bucketId: long() }) },
    { words: ["name"], size: string, call: () => context.grant({ ...access, name: long() }) },
    {
      words: objectIdNames,
      size: string,
      call: () => context.revoke({ bucketId: long(), accountId, revokeAccessContext }),
    },
    {
      words: ["account_id"],
      size: string,
      call: () => context.revoke({ bucketId, accountId: long(), revokeAccessContext }),
    },
    {
      words: ["parameters", key],
      size: map,
      call: () => context.create({ ...bucket, parameters: large(bucket.parameters) }),
    },
    {
      words: ["parameters", key],
      size: map,
      call: () => context.grant({ ...access, parameters: large(access.parameters) }),
    },
    {
      words: ["revoke_access_context", key],
      skippable: true,
      size: map,
      call: () => context.revoke({ bucketId, accountId, revokeAccessContext: large(access.parameters) }),
    },
    {
      words: ["delete_context", key],
      skippable: true,
      size: map,
      call: () => context.delete({ bucketId, deleteContext: large(bucket.parameters) }),
    },
  ];
}

function tooLong(where: string, text: string, mask: ReportMask): Problem[] {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maximumStringBytes) return [];
  return [
    {
      sent: where,
      answered: `${mask.applyToDriverText(text).slice(0, 60)}… (${bytes} bytes)`,
      wanted: `at most ${maximumStringBytes} bytes`,
    },
  ];
}

function bucketReplyProblems(
  { bucketId, bucketInfo }: DriverCreateBucketResponse,
  { objectId, objectInfo, rpcs }: TestedContract,
  mask: ReportMask,
): Problem[] {
  const values = Object.entries<string | number>({ ...bucketInfo?.type?.value });
  return [
    ...tooLong(`${objectId} of ${rpcs.create.name}`, bucketId, mask),
    ...values.flatMap(([field, value]) =>
      tooLong(`${objectInfo}.${field} of ${rpcs.create.name}`, String(value), mask),
    ),
  ];
}

function grantReplyProblems(
  { accountId, credentials }: DriverGrantBucketAccessResponse,
  { rpcs: { grant } }: TestedContract,
  mask: ReportMask,
): Problem[] {
  const maps = [...credentials].flatMap(([entry, { secrets }]): Problem[] => {
    const bytes = mapBytes(secrets);
    if (bytes <= maximumMapBytes) return [];
    const sent = `credentials[${mask.applyToDriverText(entry)}].secrets of ${grant.name}`;
    return [
      { sent, answered: `${bytes} bytes`, wanted: `at most ${maximumMapBytes} bytes in keys and values` },
    ];
  });
  return [...tooLong(`account_id of ${grant.name}`, accountId, mask), ...maps];
}

/** One problem per field: a driver that is over the limit once is so in each reply. */
function oncePerField(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [problem.sent, problem])).values()];
}

export const limitChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-043", deployment: "DEP-041" },
    needs: ["bucket"],
    run: async (context) => {
      if (context.options.largeFields) {
        return { is: "not-judged", reason: "the driver documents larger limits (--large-fields)" };
      }
      const problems: (Problem | undefined)[] = [];
      let skipped: string | undefined;
      for (const { words, skippable = false, size, call } of await oversizedCalls(context)) {
        const exchange = await call();
        if (context.leavesOut(exchange)) continue;
        if (skippable && exchange.code === status.OK) {
          skipped =
            "a context over the limit was not refused: a driver of the older dialect has no such field";
          continue;
        }
        problems.push(wantInvalid(exchange, words, size));
      }
      return verdict(problems, skipped);
    },
  },
  {
    ids: { cosi: "GRPC-044", deployment: "DEP-041" },
    last: true,
    recordsOnly: true,
    run: (context) => {
      if (context.options.largeFields) {
        return Promise.resolve({
          is: "not-judged",
          reason: "the driver documents larger limits (--large-fields)",
        });
      }
      const { infos, buckets, grants } = context.replies;
      const { mask, contract } = context;
      return Promise.resolve(
        verdict(
          oncePerField([
            ...infos.flatMap(({ name }) => tooLong("name of DriverGetInfo", name, mask)),
            ...buckets.flatMap((reply) => bucketReplyProblems(reply, contract, mask)),
            ...grants.flatMap((reply) => grantReplyProblems(reply, contract, mask)),
          ]),
        ),
      );
    },
  },
];
