import { status } from "@grpc/grpc-js";
import type { Check } from "../check";
import { judgeDistinction, otherThan } from "../distinct";
import { leftOut, problem, verdict, wantOk } from "../judge";

const repeats = 9;
const again = "an equal call is answered as the first one, however often it comes";

export const bucketIdempotencyChecks: readonly Check[] = [
  {
    id: "GRPC-019",
    title: "An equal create answers OK with the same bucket_id and bucket_info, however often it is repeated",
    level: "MUST",
    section: "DriverCreateBucket",
    needs: ["bucket"],
    run: async (context) => {
      const fields = context.bucketFields();
      const first = await context.create(fields);
      const problems = [wantOk(first, "the bucket is made")];
      const reordered = { ...fields, parameters: new Map([...fields.parameters].reverse()) };
      for (let count = 0; count < repeats && first.reply !== undefined; count++) {
        const repeat = await context.create(count % 2 === 0 ? reordered : fields);
        const wrong = wantOk(repeat, again);
        if (wrong !== undefined) return verdict([wrong]);
        if (JSON.stringify(repeat.reply) !== JSON.stringify(first.reply)) {
          return verdict([problem(repeat, `the reply of the first call, ${first.answered}`)]);
        }
      }
      return verdict(problems);
    },
  },
  {
    id: "GRPC-020",
    title: "A create with a known name and other parameters answers ALREADY_EXISTS",
    level: "MUST",
    section: "CreateBucket Errors",
    needs: ["bucket"],
    run: async (context) => {
      const { otherParameters } = context.options;
      const { name, parameters } = await context.bucket();
      const other = await context.create({
        name,
        parameters: otherThan(context, parameters, otherParameters),
      });
      const distinction = judgeDistinction(other, otherParameters, "--other-parameter");
      if (distinction.note !== undefined) return { is: "not-judged", reason: distinction.note };
      const intact = await context.create(context.bucketFields(name));
      return verdict([distinction.problem, wantOk(intact, "the refused create has changed nothing")]);
    },
  },
  {
    id: "GRPC-021",
    title: "What the driver needs to judge a repeat survives its own restart",
    level: "MUST",
    section: "DriverCreateBucket; Timeouts",
    needs: ["bucket", "command"],
    run: async (context) => {
      const { otherParameters } = context.options;
      const { control } = context;
      if (control === undefined)
        return { is: "not-judged", reason: "the driver is not started by the check" };
      const { name, parameters, bucketId } = await context.bucket();
      const access = context.accessFields(bucketId);
      const before = await context.grant(access);
      context.disconnect();
      await control.restart();
      // The unequal call comes first: an equal one would make anew what a forgetful driver has lost.
      const other = await context.create({
        name,
        parameters: otherThan(context, parameters, otherParameters),
      });
      const { problem: forgotten, note } = judgeDistinction(other, otherParameters, "--other-parameter");
      const problems = [forgotten];
      if (before.reply !== undefined) {
        const regranted = await context.grant(access);
        problems.push(wantOk(regranted, "bucket and account are known after SIGKILL and a new start"));
        if (regranted.reply !== undefined && regranted.reply.accountId !== before.reply.accountId) {
          problems.push(problem(regranted, `account_id ${before.reply.accountId} as before the restart`));
        }
      }
      const equal = await context.create(context.bucketFields(name));
      problems.push(wantOk(equal, "an equal create after SIGKILL and a new start"));
      if (equal.reply !== undefined && equal.reply.bucketId !== bucketId) {
        problems.push(problem(equal, `bucket_id ${bucketId} as before the restart`));
      }
      return verdict(problems, note);
    },
  },
  {
    id: "GRPC-023",
    title: "Deleting a bucket that is already gone answers OK",
    level: "MUST",
    section: "RPC Interface (DriverDeleteBucket)",
    needs: ["bucket"],
    run: async (context) => {
      const { bucketId, parameters } = await context.bucket();
      const fields = { bucketId, deleteContext: new Map(parameters) };
      const first = await context.delete(fields);
      if (context.leavesOut(first)) return leftOut(first);
      if (first.code !== status.OK) return verdict([wantOk(first, "a bucket without objects is deleted")]);
      return verdict([
        wantOk(await context.delete(fields), "the bucket is gone, which is what the call asks for"),
      ]);
    },
  },
];
