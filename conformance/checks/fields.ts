import { AuthenticationType } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { Check, Problem } from "../check";
import type { Context } from "../context";
import type { Exchange } from "../exchange";
import { leftOut, problem, verdict, wantInvalid, wantOk } from "../judge";

/** Long enough for the request to leave, too short for most answers, in milliseconds. */
const impatience = 10;

const s3Keys = ["accessKeyID", "accessSecretKey", "endpoint", "region"];

/** Each REQUIRED field of the Provisioner's requests with a call that lacks it. */
async function withoutRequired(context: Context): Promise<(Problem | undefined)[]> {
  const bucket = context.bucketFields();
  const { bucketId } = await context.bucket();
  const access = context.accessFields(bucketId);
  const accountId = context.names.next();
  const { objectId, objectIdNames } = context.contract;
  const calls: readonly [string, () => Promise<Exchange>][] = [
    ["name", () => context.create({ parameters: bucket.parameters })],
    [objectId, () => context.delete({ deleteContext: bucket.parameters })],
    [objectId, () => context.grant({ ...access, bucketId: "" })],
    ["name", () => context.grant({ ...access, name: "" })],
    [
      "authentication_type",
      () => context.grant({ ...access, authenticationType: AuthenticationType.UnknownAuthenticationType }),
    ],
    [objectId, () => context.revoke({ accountId, revokeAccessContext: access.parameters })],
    ["account_id", () => context.revoke({ bucketId, revokeAccessContext: access.parameters })],
  ];
  const problems: (Problem | undefined)[] = [];
  for (const [field, call] of calls) {
    const exchange = await call();
    if (context.leavesOut(exchange)) continue;
    const names = field === objectId ? objectIdNames : [field];
    problems.push(wantInvalid(exchange, names, `the REQUIRED field ${field} is missing`));
  }
  return problems;
}

export const fieldChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-046", deployment: "DEP-043" },
    needs: ["bucket"],
    run: async (context) => verdict(await withoutRequired(context)),
  },
  {
    ids: { cosi: "GRPC-047", deployment: "DEP-044" },
    needs: ["access"],
    run: async (context) => {
      const { bucketId } = await context.bucket();
      const granted = await context.grant(context.accessFields(bucketId));
      const wrong = wantOk(granted, "the access is granted");
      if (granted.reply === undefined) return verdict([wrong]);
      const { credentials } = granted.reply;
      if (credentials.size === 0) return verdict([problem(granted, "credentials with one entry or more")]);
      return verdict([]);
    },
  },
  {
    ids: { cosi: "GRPC-047" },
    needs: ["access"],
    run: async (context) => {
      if (context.options.authenticationType !== AuthenticationType.Key) return verdict([]);
      const { bucketId } = await context.bucket();
      const granted = await context.grant(context.accessFields(bucketId));
      const secrets = granted.reply?.credentials.get("s3")?.secrets;
      if (secrets === undefined) return verdict([]);
      const missing = s3Keys.filter((key) => (secrets.get(key) ?? "") === "");
      if (missing.length === 0) return verdict([]);
      const sent = problem(
        granted,
        "accessKeyID, accessSecretKey, endpoint and region, as callers look for them",
      );
      return {
        is: "doubtful",
        problems: [{ ...sent, answered: `the entry s3 lacks ${missing.join(", ")}` }],
      };
    },
  },
  {
    ids: { cosi: "GRPC-049", deployment: "DEP-046" },
    needs: ["bucket"],
    run: async (context) => {
      const { bucketId } = await context.bucket();
      const granted = await context.grant(context.accessFields(bucketId));
      const accountId = granted.reply?.accountId ?? "";
      const revoked = accountId === "" ? undefined : await context.revoke({ bucketId, accountId });
      const idsSuffice = "the ids say what is to be removed";
      // A later revoke may need the bucket.
      if (revoked !== undefined && context.failed(revoked)) return verdict([wantOk(revoked, idsSuffice)]);
      const deleted = await context.delete({ bucketId });
      const offered = [revoked, deleted]
        .filter((exchange) => exchange !== undefined)
        .filter((exchange) => !context.leavesOut(exchange));
      if (offered.length === 0) return leftOut(deleted);
      const problems = offered.map((exchange) => wantOk(exchange, idsSuffice));
      return verdict(problems, "what the driver's documentation says of absent fields is for people to read");
    },
  },
  {
    ids: { cosi: "GRPC-057", deployment: "DEP-051" },
    needs: ["bucket"],
    run: async (context) => {
      const giveUp = { giveUpAfter: impatience };
      const fields = context.bucketFields();
      const left = await context.create(fields, giveUp);
      const finished = await context.untilNotAborted(() => context.create(fields));
      const problems = [wantOk(finished, `an equal call after one that was left (${left.answered})`)];
      const bucketId = finished.reply?.bucketId ?? "";
      if (bucketId === "") return verdict(problems);
      const access = context.accessFields(bucketId);
      const leftGrant = await context.grant(access, giveUp);
      const granted = await context.untilNotAborted(() => context.grant(access));
      if (!context.leavesOut(granted)) {
        problems.push(wantOk(granted, `an equal call after one that was left (${leftGrant.answered})`));
      }
      const accountId = granted.reply?.accountId ?? "";
      const revoked =
        accountId === ""
          ? undefined
          : await context.untilNotAborted(() => context.revoke({ bucketId, accountId }));
      const ends = "the opposite call ends what was left";
      // A later revoke may need the bucket.
      if (revoked !== undefined && context.failed(revoked)) {
        return verdict([...problems, wantOk(revoked, ends)]);
      }
      const deleted = await context.untilNotAborted(() =>
        context.delete({ bucketId, deleteContext: new Map(fields.parameters) }),
      );
      for (const opposite of [revoked, deleted]) {
        if (opposite === undefined || context.leavesOut(opposite)) continue;
        problems.push(wantOk(opposite, ends));
      }
      return verdict(problems);
    },
  },
];
