import { status } from "@grpc/grpc-js";
import type { Check, Problem, Verdict } from "../check";
import { problem, verdict, wantCode, wantOk } from "../judge";

/** Duties of the extension that tells the status of a deployment, which a driver may do without. */
export const deploymentStatusChecks: readonly Check[] = [
  {
    ids: { deployment: "DEP-014" },
    needs: ["bucket"],
    run: async (context): Promise<Verdict> => {
      const { objectId, rpcs } = context.contract;
      const made = await context.bucket();
      const asked = await context.status(made.bucketId);
      if (context.leavesOut(asked)) {
        return { is: "not-judged", reason: `the driver does not have ${rpcs.status.name}, as it may` };
      }
      const problems: (Problem | undefined)[] = [wantOk(asked, "the driver has issued this id")];
      const { reply } = asked;
      if (reply !== undefined && reply.deploymentId !== made.bucketId) {
        problems.push(problem(asked, `${objectId} ${made.bucketId}, for which it was asked`));
      }
      if (reply !== undefined && reply.deploymentStatus?.type?.value !== true) {
        problems.push(problem(asked, "exactly one of ready, pending and error, and it is true"));
      }
      await context.deleted(made);
      const gone = await context.status(made.bucketId);
      return verdict([...problems, wantCode(gone, status.NOT_FOUND, "what had this id was deleted")]);
    },
  },
];
