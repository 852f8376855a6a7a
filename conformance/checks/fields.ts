import { status } from "@grpc/grpc-js";
import { AuthenticationType } from "../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { accountIdOf } from "../account-id";
import type { Check, Problem } from "../check";
import type { Context } from "../context";
import type { Exchange } from "../exchange";
import { leftOut, problem, verdict, wantInvalidNaming, wantOk } from "../judge";
import type { Parameters } from "../ledger";
import { opensByName } from "../opening";
import { authenticationTypeNames } from "../tested-contract";

/** Long enough for the request to leave, too short for most answers, in milliseconds. */
const impatience = 10;

const s3Keys = ["accessKeyID", "accessSecretKey", "endpoint", "region"];

/** Each REQUIRED field of the Provisioner's requests with a call that lacks it. */
async function withoutRequired(context: Context): Promise<(Problem | undefined)[]> {
  const bucket = context.bucketFields();
  const { bucketId } = await context.bucket();
  const access = context.accessFields(bucketId);
  const accountId = await accountIdOf(context, bucketId);
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
  const names = new Map([
    [objectId, objectIdNames],
    ["authentication_type", authenticationTypeNames],
  ]);
  const problems: (Problem | undefined)[] = [];
  for (const [field, call] of calls) {
    const exchange = await call();
    if (context.leavesOut(exchange)) continue;
    problems.push(
      wantInvalidNaming(exchange, names.get(field) ?? [field], `the REQUIRED field ${field} is missing`),
    );
  }
  return problems;
}

/**
 * The key that the driver wants though it was given it before, as GRPC-082 lets it want its secrets with each call. That a
 * call lacks its credentials has a code of its own; INVALID_ARGUMENT may be for any parameter.
 */
function wantedKey(exchange: Exchange, given: Parameters): string | undefined {
  if (exchange.code === status.UNAUTHENTICATED) return exchange.mentionedKey(given.keys());
  if (exchange.code !== status.INVALID_ARGUMENT) return undefined;
  return exchange.mentionedKey([...given.keys()].filter(opensByName));
}

export const fieldChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-046", deployment: "DEP-043" },
    needs: ["bucket"],
    run: async (context) => verdict(await withoutRequired(context)),
  },
  {
    ids: { cosi: "GRPC-047", deployment: "DEP-044" },
    last: true,
    recordsOnly: true,
    run: ({ made: { grants } }) => {
      const reason = "no grant was answered with a message";
      if (grants.length === 0) return Promise.resolve({ is: "not-judged", reason });
      const withoutId = grants.find(({ reply }) => reply?.accountId === "");
      const withoutEntry = grants.find(({ reply }) => reply?.credentials.size === 0);
      return Promise.resolve(
        verdict([
          withoutId && problem(withoutId, "an account_id that is not empty"),
          withoutEntry && problem(withoutEntry, "credentials with one entry or more"),
        ]),
      );
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
      const { parameters, accessParameters } = context.options;
      const { bucketId } = await context.bucket();
      const access = context.accessFields(bucketId);
      const granted = await context.grant(access);
      const accountId = granted.reply?.accountId ?? "";
      const revoked = accountId === "" ? undefined : await context.revoke({ bucketId, accountId });
      const idsSuffice = "the ids say what is to be removed";
      const keyOfRevoke = revoked && wantedKey(revoked, accessParameters);
      if (keyOfRevoke !== undefined) {
        await context.revoked({ ...access, accountId });
      } else if (revoked !== undefined && context.failed(revoked)) {
        // A later revoke may need the bucket.
        return verdict([wantOk(revoked, idsSuffice)]);
      }
      const deleted = await context.delete({ bucketId });
      const wants: readonly (readonly [Exchange | undefined, string | undefined])[] = [
        [revoked, keyOfRevoke],
        [deleted, wantedKey(deleted, parameters)],
      ];
      const offered = wants.flatMap(([exchange, key]) =>
        exchange === undefined || key !== undefined || context.leavesOut(exchange) ? [] : [exchange],
      );
      const [unseen] = wants.flatMap(([exchange, key]) =>
        exchange === undefined || key === undefined
          ? []
          : [`the driver wants the key ${key} with each call: ${exchange.sent}: ${exchange.answered}`],
      );
      if (offered.length === 0) {
        return unseen === undefined ? leftOut(deleted) : { is: "not-judged", reason: unseen };
      }
      const problems = offered.map((exchange) => wantOk(exchange, idsSuffice));
      return verdict(
        problems,
        unseen ?? "what the driver's documentation says of absent fields is for people to read",
      );
    },
  },
  {
    ids: { cosi: "GRPC-057", deployment: "DEP-051" },
    needs: ["bucket"],
    run: async (context) => {
      const giveUp = { giveUpAfter: impatience };
      const fields = context.bucketFields();
      const left = await context.create(fields, giveUp);
      const finished = await context.create(fields);
      const problems = [wantOk(finished, `an equal call after one that was left (${left.answered})`)];
      const bucketId = finished.reply?.bucketId ?? "";
      if (bucketId === "") return verdict(problems);
      const access = context.accessFields(bucketId);
      const leftGrant = await context.grant(access, giveUp);
      const granted = await context.grant(access);
      if (!context.leavesOut(granted)) {
        problems.push(wantOk(granted, `an equal call after one that was left (${leftGrant.answered})`));
      }
      const accountId = granted.reply?.accountId ?? "";
      const revokeAccessContext = new Map(access.parameters);
      const revoked =
        accountId === "" ? undefined : await context.revoke({ bucketId, accountId, revokeAccessContext });
      const ends = "the opposite call ends what was left";
      // A later revoke may need the bucket.
      if (revoked !== undefined && context.failed(revoked)) {
        return verdict([...problems, wantOk(revoked, ends)]);
      }
      const deleted = await context.delete({ bucketId, deleteContext: new Map(fields.parameters) });
      for (const opposite of [revoked, deleted]) {
        if (opposite === undefined || context.leavesOut(opposite)) continue;
        problems.push(wantOk(opposite, ends));
      }
      return verdict(problems);
    },
  },
];
