import { status } from "@grpc/grpc-js";
import { atStore } from "../at-store";
import type { Check, Verdict } from "../check";
import type { Exchange } from "../exchange";
import { problem, throwIfUnanswered, verdict } from "../judge";

/** A backend may take shorter names only, which a driver may say. */
function notBothMade(exchanges: readonly Exchange[]): Verdict | undefined {
  const refused = exchanges.find(({ reply }) => reply === undefined);
  if (refused === undefined) return undefined;
  throwIfUnanswered(refused);
  const reason = `needs two names of 63 characters, which the driver refuses: ${refused.sent}: ${refused.answered}`;
  return { is: "not-judged", reason };
}

/**
 * Two names of the greatest length that differ at their end alone. A driver that makes ids or names of its backend from
 * them, and cuts these, gives two users one bucket, and the delete of one takes the data of the other.
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
      const missing = notBothMade([first, second]);
      const bucketId = first.reply?.bucketId ?? "";
      const otherId = second.reply?.bucketId ?? "";
      if (missing !== undefined || bucketId === "" || otherId === "") return missing ?? verdict([]);
      if (bucketId === otherId) {
        const sent = `creates of two ${object}s, ${one} and ${other}`;
        return verdict([
          { sent, answered: `${objectId} ${bucketId} twice`, wanted: `two ${objectId} values` },
        ]);
      }
      const deleted = await context.delete({ bucketId, deleteContext: context.bucketFields(one).parameters });
      if (deleted.code !== status.OK) return verdict([]);
      const access = context.accessFields(otherId);
      const granted = await context.grant(access);
      const why = `the delete was for ${object} ${bucketId}`;
      if (granted.code === status.NOT_FOUND) return verdict([problem(granted, `OK (0): ${why}`)]);
      const { reply } = granted;
      if (reply === undefined || reply.accountId === "") return verdict([]);
      const account = { ...access, accountId: reply.accountId, reply };
      const bucket = { ...context.bucketFields(other), bucketId: otherId };
      return verdict(await atStore(context, bucket, [{ granted: account, answer: "allowed", why }]));
    },
  },
  {
    ids: { cosi: "GRPC-024", deployment: "DEP-025" },
    needs: ["access"],
    run: async (context) => {
      const { object } = context.contract;
      const bucket = await context.bucket();
      const [one, other] = context.names
        .longPair()
        .map((name) => context.accessFields(bucket.bucketId, name));
      if (one === undefined || other === undefined) return verdict([]);
      const first = await context.grant(one);
      const second = await context.grant(other);
      const missing = notBothMade([first, second]);
      if (missing !== undefined || first.reply === undefined || second.reply === undefined) {
        return missing ?? verdict([]);
      }
      const { accountId } = first.reply;
      const sent = `grants ${one.name} and ${other.name} on one ${object}`;
      if (accountId === second.reply.accountId) {
        return verdict([
          { sent, answered: `account_id ${accountId} twice`, wanted: "two account_id values" },
        ]);
      }
      const revokeAccessContext = new Map(one.parameters);
      const revoked = await context.revoke({ bucketId: bucket.bucketId, accountId, revokeAccessContext });
      if (revoked.code !== status.OK) return verdict([]);
      const granted = { ...other, accountId: second.reply.accountId, reply: second.reply };
      const why = "the revoke was for another account";
      return verdict(await atStore(context, bucket, [{ granted, answer: "allowed", why }]));
    },
  },
];
