import { status } from "@grpc/grpc-js";
import type { Check, Problem } from "../check";
import type { Context } from "../context";
import type { Exchange } from "../exchange";
import { firstOfEachRpc, problem, verdict, wantCode, wantInvalid } from "../judge";
import { StoreAccount } from "../store-account";
import { isAlive } from "../store-trial";
import { becomes } from "../trial";

const highestCode = 16;

/** Codes that speak of an object, so that a message must say which. */
const codesAboutObjects = new Set<number | undefined>([
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
]);

/** Calls that the driver itself refused; one for each RPC and code is enough to show. */
function refusals(context: Context): Exchange[] {
  const refused = context.exchanges.filter(({ code }) => code !== undefined && code !== status.OK);
  return [
    ...new Map(
      [...refused].reverse().map((exchange) => [`${exchange.rpc} ${exchange.code}`, exchange]),
    ).values(),
  ];
}

const fullDelete = "delete of a bucket with objects";

/** Deletes a bucket into which a granted key has put an object. */
async function deleteWithObject(
  context: Context,
): Promise<{ readonly problems: Problem[]; readonly note: string | undefined }> {
  const bucket = await context.bucket();
  const granted = await context.account(bucket.bucketId);
  const account = new StoreAccount(granted, bucket.name, context);
  const key = context.names.next();
  await isAlive(context, account);
  try {
    if ((await account.put(key)) !== "allowed") {
      return { problems: [], note: `${fullDelete}: the granted key may not put an object into its bucket` };
    }
    const read = { attempt: () => account.has(key) };
    const mayRead = context.backend.storeUse !== "put" && (await becomes(read, "allowed", context.patience));
    const refused = await context.delete({
      bucketId: bucket.bucketId,
      deleteContext: new Map(bucket.parameters),
    });
    const wrong = wantCode(refused, status.FAILED_PRECONDITION, "the bucket holds an object");
    // A bucket that was deleted takes no further question.
    if (wrong !== undefined) return { problems: [wrong], note: undefined };
    if (!mayRead) {
      return { problems: [], note: `${fullDelete}: the granted key cannot see whether its object is there` };
    }
    if (await becomes(read, "allowed", context.patience)) return { problems: [], note: undefined };
    return { problems: [problem(refused, "the object is still there, and can be read")], note: undefined };
  } finally {
    await account.discard(key);
  }
}

export const errorChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-058", deployment: "DEP-052" },
    last: true,
    recordsOnly: true,
    run: (context) => {
      const lost = context.exchanges.filter(({ lost, deliberate }) => lost !== undefined && !deliberate);
      const strange = context.exchanges.filter(({ code }) => code !== undefined && code > highestCode);
      const deaths = [...new Set(context.control?.deaths)].map((end) => ({
        sent: "the calls of this run",
        answered: `the driver's process ended: ${end}`,
        wanted: "a process that goes on",
      }));
      const notStarted = [context.startFailure]
        .filter((answered) => answered !== undefined)
        .map((answered) => ({
          sent: "a new start of the driver after its end",
          answered: `it does not start again: ${answered}`,
          wanted: "a driver that serves again",
        }));
      return Promise.resolve(
        verdict([
          ...firstOfEachRpc(
            lost.filter(({ late }) => late),
            `a status within ${context.options.timeoutSeconds} s (--timeout gives it more time)`,
          ),
          ...firstOfEachRpc(
            lost.filter(({ late }) => !late),
            "a status",
          ),
          ...firstOfEachRpc(strange, `a code from 0 to ${highestCode}`),
          ...deaths,
          ...notStarted,
        ]),
      );
    },
  },
  {
    ids: { cosi: "GRPC-059", deployment: "DEP-052" },
    last: true,
    recordsOnly: true,
    run: (context) => {
      const problems = refusals(context).flatMap((exchange): Problem[] => {
        if (exchange.message.trim() === "") return [problem(exchange, "a message that a person can use")];
        if (!codesAboutObjects.has(exchange.code) || exchange.namesObject) return [];
        return [problem(exchange, `a message that names the ${context.contract.object} or the account`)];
      });
      return Promise.resolve(verdict(problems));
    },
  },
  {
    ids: { cosi: "GRPC-060", deployment: "DEP-052" },
    last: true,
    recordsOnly: true,
    run: (context) => {
      const detailed = context.exchanges.filter(({ details }) => details);
      return Promise.resolve(
        verdict(
          firstOfEachRpc(detailed, "no trailer grpc-status-details-bin: status details MUST be empty").map(
            (found) => ({ ...found, answered: `${found.answered}, with grpc-status-details-bin` }),
          ),
        ),
      );
    },
  },
  {
    ids: { cosi: "GRPC-065", deployment: "DEP-056" },
    needs: ["bucket"],
    run: async (context) => {
      const fields = context.bucketFields(`${context.names.next()}_Bad_Name`);
      const exchange = await context.create(fields);
      if (exchange.code === status.OK) {
        const reason = `needs a value that the backend refuses: it takes ${fields.name}`;
        return { is: "not-judged", reason };
      }
      return verdict([
        wantInvalid(
          exchange,
          ["name", fields.name],
          `the backend or the driver rejects the ${context.contract.object}'s name`,
        ),
      ]);
    },
  },
  {
    ids: { cosi: "GRPC-077" },
    needs: ["access"],
    run: async (context) => {
      const bucket = await context.bucket();
      await context.deleted(bucket);
      const { bucketId } = bucket;
      const granted = await context.grant(context.accessFields(bucketId));
      const problems: (Problem | undefined)[] = [
        wantCode(granted, status.NOT_FOUND, "the bucket was deleted"),
      ];
      if (!context.backend.isStore) {
        return verdict(problems, `${fullDelete}: ${context.backend.failure ?? "needs --check-credentials"}`);
      }
      const full = await deleteWithObject(context);
      return verdict([...problems, ...full.problems], full.note);
    },
  },
];
