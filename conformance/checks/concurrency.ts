import { untried } from "../at-store";
import type { Check, Problem } from "../check";
import { credentialOf } from "../credentials";
import { isPassing, type Exchange } from "../exchange";
import { problem, throwIfUnanswered, verdict, wantOk } from "../judge";
import { comesTrue, type Trial } from "../trial";

const atOnce = 20;

/** Many equal calls at once, and each that was rejected once more when the others have ended. */
async function crowd<Reply>(
  call: () => Promise<Exchange<Reply>>,
  idOf: (reply: Reply) => string,
): Promise<{ readonly problems: Problem[]; readonly replies: Reply[] }> {
  const exchanges = await Promise.all(Array.from({ length: atOnce }, call));
  const wrong = exchanges.filter((exchange) => !isPassing(exchange) && exchange.reply === undefined);
  const [example] = wrong;
  if (example !== undefined) throwIfUnanswered(example);
  const problems =
    example === undefined
      ? []
      : [
          problem(
            example,
            `OK (0) or ABORTED (10), as ${wrong.length} of ${atOnce} equal calls at once were not`,
          ),
        ];
  const later = exchanges.some(isPassing) ? [await call()] : [];
  problems.push(
    ...later.flatMap((exchange) => wantOk(exchange, "a rejected call succeeds when sent again") ?? []),
  );
  const replies = [...exchanges, ...later].flatMap(({ reply }) => (reply === undefined ? [] : [reply]));
  const ids = new Set(replies.map(idOf));
  const [first] = exchanges;
  if (ids.size > 1 && first !== undefined) {
    problems.push({
      ...problem(first, "one id for equal calls"),
      answered: `${ids.size} ids, among them ${[...ids].slice(0, 2).join(" and ")}`,
    });
  }
  return { problems, replies };
}

/** How many credentials are alive in the end: one, as soon as it is one. */
async function countAlive(trials: readonly Trial[], patience: number): Promise<number> {
  let alive = 0;
  await comesTrue(async () => {
    alive = 0;
    for (const trial of trials) if ((await trial.attempt()) === "allowed") alive++;
    return alive === 1;
  }, patience);
  return alive;
}

export const concurrencyChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-040", deployment: "DEP-037" },
    needs: ["bucket"],
    run: async (context) => {
      const fields = context.bucketFields();
      const created = await crowd(
        () => context.create(fields),
        ({ bucketId }) => bucketId,
      );
      const problems: (Problem | undefined)[] = [...created.problems];
      const bucketId = created.replies[0]?.bucketId ?? "";
      if (bucketId === "") return verdict(problems, `grants at once: no ${context.contract.objectId}`);
      const access = context.accessFields(bucketId);
      if (context.leavesOut(await context.grant(access))) {
        return verdict(problems, "grants at once: the driver grants no access");
      }
      const granted = await crowd(
        () => context.grant(access),
        ({ accountId }) => accountId,
      );
      problems.push(...granted.problems, wantOk(await context.getInfo(), "the driver still answers"));
      const { trialOf } = context.backend;
      const unseen = untried(context, "that equal grants at once leave one live credential");
      if (trialOf === undefined) return verdict(problems, unseen);
      const credentials = new Map(granted.replies.map((reply) => [credentialOf(reply) ?? "", reply]));
      const trials = [...credentials.values()].map((reply) =>
        trialOf({ ...access, accountId: reply.accountId, reply }, { ...fields, bucketId }),
      );
      const alive = await countAlive(trials, context.patience);
      if (alive !== 1) {
        problems.push({
          sent: `${atOnce} equal grants at once`,
          answered: `${credentials.size} credentials, of which ${alive} are alive`,
          wanted: "one live credential",
        });
      }
      return verdict(problems);
    },
  },
];
