import { status } from "@grpc/grpc-js";
import type { Check } from "../check";
import { verdict, wantInvalidNaming, wantOk } from "../judge";

const unknownKey = "the driver knows no such key";

export const parameterChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-033", deployment: "DEP-032" },
    needs: ["bucket"],
    run: async (context) => {
      const fields = context.bucketFields();
      const key = context.unknownParameter();
      const refused = await context.create({ ...fields, parameters: new Map([...fields.parameters, key]) });
      const problems = [wantInvalidNaming(refused, [key[0]], unknownKey)];
      const made = await context.create(fields);
      const bucketId = made.reply?.bucketId ?? "";
      if (refused.code !== status.OK) problems.push(wantOk(made, "the refused create has made nothing"));
      if (bucketId === "") return verdict(problems);
      const access = context.accessFields(bucketId);
      const unknown = await context.grant({ ...access, parameters: new Map([...access.parameters, key]) });
      if (!context.leavesOut(unknown)) {
        problems.push(wantInvalidNaming(unknown, [key[0]], unknownKey));
        const granted = await context.grant(access);
        const accountId = granted.reply?.accountId ?? "";
        if (accountId !== "") {
          const revokeAccessContext = new Map(access.parameters);
          const revoked = await context.revoke({ bucketId, accountId, revokeAccessContext });
          if (!context.leavesOut(revoked)) {
            problems.push(wantOk(revoked, "the context holds the parameters of the grant"));
          }
          // A later revoke may need the bucket.
          if (context.failed(revoked)) return verdict(problems);
        }
      }
      const deleted = await context.delete({ bucketId, deleteContext: new Map(fields.parameters) });
      if (!context.leavesOut(deleted)) {
        problems.push(wantOk(deleted, "the context holds the parameters of the create"));
      }
      return verdict(problems);
    },
  },
];
