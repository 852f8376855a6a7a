import { status } from "@grpc/grpc-js";
import type { Check } from "../check";
import type { Context } from "../context";
import { distinction, type Distinction } from "../distinct";
import { leftOut, problem, verdict, wantOk } from "../judge";

const repeats = 9;
const again = "an equal call is answered as the first one, however often it comes";

/** A create of a known name with other parameters. */
function otherCreate(context: Context, name: string): Promise<Distinction> {
  return distinction(context, {
    usual: context.options.parameters,
    given: context.options.otherParameters,
    option: "--other-parameter",
    anew: (parameters) => context.create({ ...context.bucketFields(), parameters }),
    again: (parameters) => context.create({ name, parameters }),
  });
}

export const bucketIdempotencyChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-019", deployment: "DEP-021" },
    needs: ["bucket"],
    run: async (context) => {
      const fields = context.bucketFields();
      const first = await context.create(fields);
      const problems = [wantOk(first, `the ${context.contract.object} is made`)];
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
    ids: { cosi: "GRPC-020", deployment: "DEP-022" },
    needs: ["bucket"],
    run: async (context) => {
      const { name } = await context.bucket();
      const { problem: taken, note } = await otherCreate(context, name);
      if (note !== undefined) return { is: "not-judged", reason: note };
      const intact = await context.create(context.bucketFields(name));
      return verdict([taken, wantOk(intact, "the refused create has changed nothing")]);
    },
  },
  {
    ids: { cosi: "GRPC-021", deployment: "DEP-021" },
    needs: ["bucket", "command"],
    run: async (context) => {
      const { control } = context;
      const { object, objectId } = context.contract;
      if (control === undefined)
        return { is: "not-judged", reason: "the driver is not started by the check" };
      const { name, bucketId } = await context.bucket();
      const access = context.accessFields(bucketId);
      const before = await context.grant(access);
      context.disconnect();
      await control.restart();
      // The unequal call comes first: an equal one would make anew what a forgetful driver has lost.
      const { problem: forgotten, note } = await otherCreate(context, name);
      const problems = [forgotten];
      if (before.reply !== undefined) {
        const regranted = await context.grant(access);
        problems.push(wantOk(regranted, `${object} and account are known after SIGKILL and a new start`));
        if (regranted.reply !== undefined && regranted.reply.accountId !== before.reply.accountId) {
          problems.push(problem(regranted, `account_id ${before.reply.accountId} as before the restart`));
        }
      }
      const equal = await context.create(context.bucketFields(name));
      problems.push(wantOk(equal, "an equal create after SIGKILL and a new start"));
      if (equal.reply !== undefined && equal.reply.bucketId !== bucketId) {
        problems.push(problem(equal, `${objectId} ${bucketId} as before the restart`));
      }
      return verdict(problems, note);
    },
  },
  {
    ids: { cosi: "GRPC-023", deployment: "DEP-024" },
    needs: ["bucket"],
    run: async (context) => {
      const { bucketId, parameters } = await context.bucket();
      const fields = { bucketId, deleteContext: new Map(parameters) };
      const { object, unused } = context.contract;
      const first = await context.delete(fields);
      if (context.leavesOut(first)) return leftOut(first);
      if (first.code !== status.OK) return verdict([wantOk(first, `${unused} is deleted`)]);
      return verdict([
        wantOk(await context.delete(fields), `the ${object} is gone, which is what the call asks for`),
      ]);
    },
  },
];
