import { status } from "@grpc/grpc-js";
import { atStore, untried } from "../at-store";
import type { Check, Verdict } from "../check";
import type { Exchange } from "../exchange";
import { leftOut, throwIfUnanswered, verdict, wantOk } from "../judge";

/** A backend may take shorter names only, which a driver may say of the first one. @throws NotJudgedError */
function refusalOf(first: Exchange, second: Exchange): Verdict | undefined {
  if (first.reply === undefined) {
    throwIfUnanswered(first);
    const reason = `needs two names of 63 characters, which the driver refuses: ${first.sent}: ${first.answered}`;
    return { is: "not-judged", reason };
  }
  if (second.reply !== undefined) return undefined;
  return verdict([
    wantOk(second, "it was told from the name before, which was taken, by its last character"),
  ]);
}

function withoutId(id: string): Verdict {
  return { is: "not-judged", reason: `needs two names of 63 characters with an ${id} for each` };
}

/**
 * Two names of the greatest length that differ at their end alone. A driver that makes ids or names of its backend from
 * them, and cuts these, gives two users one bucket, and the delete of one takes the data of the other. What the driver
 * answers from then on is judged whatever the code is: a backend that lacks what was deleted has many.
 */
export const collisionChecks: readonly Check[] = [
  {
    ids: { cosi: "GRPC-003", deployment: "DEP-001" },
    needs: ["bucket"],
    run: async (context) => {
      const { object, objectId } = context.contract;
      const [one, other] = context.names.longPair();
      const first = await context.create(context.bucketFields(one));
      const second = await context.create(context.bucketFields(other));
      const refused = refusalOf(first, second);
      if (refused !== undefined) return refused;
      const bucketId = first.reply?.bucketId ?? "";
      const otherId = second.reply?.bucketId ?? "";
      if (bucketId === "" || otherId === "") return withoutId(objectId);
      if (bucketId === otherId) {
        const sent = `creates of two ${object}s, ${one} and ${other}`;
        return verdict([
          { sent, answered: `${objectId} ${bucketId} twice`, wanted: `two ${objectId} values` },
        ]);
      }
      const deleted = await context.delete({ bucketId, deleteContext: context.bucketFields(one).parameters });
      if (context.leavesOut(deleted)) return leftOut(deleted);
      if (deleted.code !== status.OK) return verdict([wantOk(deleted, `the ${object} was made before`)]);
      const why = `the delete was for ${object} ${bucketId}`;
      const access = context.accessFields(otherId);
      const granted = await context.grant(access);
      if (context.leavesOut(granted)) return leftOut(granted);
      const { reply } = granted;
      if (reply === undefined) return verdict([wantOk(granted, why)]);
      if (reply.accountId === "") return withoutId("account_id");
      const account = { ...access, accountId: reply.accountId, reply };
      const bucket = { ...context.bucketFields(other), bucketId: otherId };
      return verdict(
        await atStore(context, bucket, [{ granted: account, answer: "allowed", why }]),
        untried(context, `that a delete leaves the ${object} of another name as it is`),
      );
    },
  },
  {
    ids: { cosi: "GRPC-024", deployment: "DEP-025" },
    needs: ["access"],
    run: async (context) => {
      const { object } = context.contract;
      const bucket = await context.bucket();
      const { bucketId } = bucket;
      const [oneName, otherName] = context.names.longPair();
      const one = context.accessFields(bucketId, oneName);
      const other = context.accessFields(bucketId, otherName);
      const first = await context.grant(one);
      const second = await context.grant(other);
      const refused = refusalOf(first, second);
      if (refused !== undefined) return refused;
      const { reply } = second;
      const accountId = first.reply?.accountId ?? "";
      if (reply === undefined || reply.accountId === "" || accountId === "") return withoutId("account_id");
      if (accountId === reply.accountId) {
        const sent = `grants ${oneName} and ${otherName} on one ${object}`;
        return verdict([
          { sent, answered: `account_id ${accountId} twice`, wanted: "two account_id values" },
        ]);
      }
      const revokeAccessContext = new Map(one.parameters);
      const revoked = await context.revoke({ bucketId, accountId, revokeAccessContext });
      if (context.leavesOut(revoked)) return leftOut(revoked);
      if (revoked.code !== status.OK) return verdict([wantOk(revoked, "the account was granted before")]);
      const granted = { ...other, accountId: reply.accountId, reply };
      const why = "the revoke was for another account";
      return verdict(
        await atStore(context, bucket, [{ granted, answer: "allowed", why }]),
        untried(context, "that a revoke leaves the credential of another account alive"),
      );
    },
  },
];
