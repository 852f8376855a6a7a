import { status } from "@grpc/grpc-js";
import type { Check, Problem, Verdict } from "../check";
import type { Granted } from "../ledger";
import { credentialOf } from "../credentials";
import { distinction } from "../distinct";
import type { Exchange } from "../exchange";
import { leftOut, problem, verdict, wantCode, wantOk } from "../judge";
import { atStore, untried } from "../at-store";

const repeats = 9;

function withReply(
  fields: Omit<Granted, "reply" | "accountId">,
  { reply }: Exchange<Granted["reply"]>,
): Granted[] {
  return reply === undefined ? [] : [{ ...fields, accountId: reply.accountId, reply }];
}

/** The later grants of one account brought other credentials than the first. */
function isRenewed(grants: readonly Granted[]): boolean {
  return new Set(grants.map(({ reply }) => credentialOf(reply))).size > 1;
}

export const accessIdempotencyChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-018", deployment: "DEP-020" },
    needs: ["access"],
    run: async (context) => {
      const bucket = await context.bucket();
      const old = await context.account(bucket.bucketId);
      await context.revoked(old);
      const fields = context.accessFields(bucket.bucketId, old.name);
      const same = await context.grant(fields);
      const other = await context.grant(context.accessFields(bucket.bucketId));
      const problems = [
        wantOk(same, "the access of this name was revoked before"),
        wantOk(other, `another access of this ${context.contract.object} was revoked before`),
      ];
      const store = await atStore(context, bucket, [
        ...withReply(fields, same).map((granted) => ({
          granted,
          answer: "allowed" as const,
          why: "the last credential works",
        })),
        ...(credentialOf(old.reply) === (same.reply && credentialOf(same.reply))
          ? []
          : [{ granted: old, answer: "refused" as const, why: "only the last credential works" }]),
      ]);
      return verdict([...problems, ...store], untried(context, "that only the last credential is alive"));
    },
  },
  {
    ids: { cosi: "GRPC-024", deployment: "DEP-025" },
    needs: ["access"],
    run: async (context) => {
      const bucket = await context.bucket();
      const elsewhere = await context.bucket();
      const a = await context.account(bucket.bucketId);
      const b = await context.account(bucket.bucketId);
      const problems: (Problem | undefined)[] = [];
      const { object } = context.contract;
      if (a.accountId === b.accountId) {
        problems.push({
          sent: `grants ${a.name} and ${b.name} on one ${object}`,
          answered: `account_id ${a.accountId} twice`,
          wanted: "two account_id values",
        });
      }
      const moved = await context.grant(context.accessFields(elsewhere.bucketId, a.name));
      problems.push(wantCode(moved, status.ALREADY_EXISTS, `the name is known with another ${object}`));
      const { problem: taken, note } = await distinction(context, {
        usual: a.parameters,
        given: context.options.otherAccessParameters,
        option: "--other-access-parameter",
        anew: (parameters) => context.grant({ ...context.accessFields(bucket.bucketId), parameters }),
        again: (parameters) =>
          context.grant({ ...context.accessFields(bucket.bucketId, a.name), parameters }),
      });
      problems.push(taken);
      if (problems.some((found) => found !== undefined)) return verdict(problems);
      await context.revoked(a);
      const why = "the revoke was for another account";
      const untold = untried(context, "that a revoke leaves the credential of another account alive");
      const notes = [note, untold].filter((text) => text !== undefined);
      return verdict(
        await atStore(context, bucket, [{ granted: b, answer: "allowed", why }]),
        notes.length === 0 ? undefined : notes.join("; "),
      );
    },
  },
  {
    ids: { cosi: "GRPC-025", deployment: "DEP-025" },
    needs: ["access"],
    run: async (context): Promise<Verdict> => {
      const bucket = await context.bucket();
      const first = await context.account(bucket.bucketId);
      const grants = [first];
      let last: Exchange | undefined;
      for (let count = 0; count < repeats; count++) {
        const fields = context.accessFields(bucket.bucketId, first.name);
        const repeat = await context.grant(fields);
        const wrong = wantOk(repeat, "an equal grant is answered OK, however often it comes");
        if (wrong !== undefined) return verdict([wrong]);
        if (repeat.reply?.accountId !== first.accountId) {
          return verdict([
            problem(repeat, `account_id ${first.accountId}, as the first of the equal grants`),
          ]);
        }
        grants.push(...withReply(fields, repeat));
        last = repeat;
      }
      const renewed = isRenewed(grants);
      if (context.backend.trialOf === undefined) {
        if (!renewed || last === undefined) {
          return verdict([], untried(context, "that exactly one credential is alive"));
        }
        const wanted = `the same credential, or an end of each earlier one: ${context.howToSee}`;
        return {
          is: "doubtful",
          problems: [{ ...problem(last, wanted), answered: "a new credential each time" }],
        };
      }
      const [latest = first, ...earlier] = [...grants].reverse();
      const current = credentialOf(latest.reply);
      return verdict(
        await atStore(context, bucket, [
          { granted: latest, answer: "allowed", why: "the credential of the last reply works" },
          ...earlier
            .filter(({ reply }) => credentialOf(reply) !== current)
            .map((granted) => ({
              granted,
              answer: "refused" as const,
              why: "a later equal grant brought another credential, and one is to be alive",
            })),
        ]),
      );
    },
  },
  {
    ids: { cosi: "GRPC-026", deployment: "DEP-027" },
    needs: ["access"],
    run: async (context) => {
      const bucket = await context.bucket();
      const elsewhere = await context.bucket();
      const a = await context.account(bucket.bucketId);
      const b = await context.account(bucket.bucketId);
      const c = await context.account(elsewhere.bucketId);
      const fields = {
        bucketId: a.bucketId,
        accountId: a.accountId,
        revokeAccessContext: new Map(a.parameters),
      };
      const revoke = await context.revoke(fields);
      if (context.leavesOut(revoke)) return leftOut(revoke);
      const { object } = context.contract;
      const refused = wantOk(revoke, "the access is revoked");
      if (refused !== undefined) return verdict([refused]);
      const store = [
        ...(await atStore(context, bucket, [
          { granted: a, answer: "refused", why: "the access was revoked" },
          { granted: b, answer: "allowed", why: "the revoke was for another account" },
        ])),
        ...(await atStore(context, elsewhere, [
          { granted: c, answer: "allowed", why: `the revoke was for another ${object}` },
        ])),
      ];
      if (store.length > 0) return verdict(store);
      // Without a look at the store an account that is still there shows when its name is granted anew.
      const refusal = untried(context, "that the credential of a revoked access is refused");
      const anew = await context.grant(context.accessFields(bucket.bucketId, a.name));
      if (anew.reply === undefined) return verdict([], refusal);
      const old = credentialOf(a.reply);
      const isOldCredential = old !== undefined && credentialOf(anew.reply) === old;
      await context.revoked({ ...a, accountId: anew.reply.accountId });
      const moved = await context.grant(context.accessFields(elsewhere.bucketId, a.name));
      const taken = wantOk(moved, `the name is free: its access to the other ${object} was revoked`);
      // Credentials that derive from the name come again after a revoke that has ended them.
      if (taken !== undefined || context.backend.trialOf !== undefined || !isOldCredential) {
        return verdict([taken], refusal);
      }
      const wanted = `another credential, or an end of that one until the new grant: ${context.howToSee}`;
      const sent = `${revoke.sent}, then ${anew.sent}`;
      return {
        is: "doubtful",
        problems: [{ sent, answered: "the credential that was revoked", wanted }],
      };
    },
  },
  {
    ids: { cosi: "GRPC-027", deployment: "DEP-027" },
    needs: ["access"],
    run: async (context) => {
      const bucket = await context.bucket();
      const account = await context.account(bucket.bucketId);
      const { bucketId, accountId } = account;
      const fields = { bucketId, accountId, revokeAccessContext: new Map(account.parameters) };
      await context.revoked(account);
      const repeated = await context.revoke(fields);
      const refused = wantOk(repeated, "the access is gone, which is what the call asks for");
      if (refused !== undefined) return verdict([refused]);
      await context.deleted(bucket);
      const late = await context.revoke(fields);
      return verdict([
        wantOk(late, `access and ${context.contract.object} are gone, which is what the call asks for`),
      ]);
    },
  },
];
