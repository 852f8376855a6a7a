import type { Context } from "./context";

/**
 * Id of a new account of the bucket, for a call that is to have one fault and no other; an id that nobody has where the
 * driver grants none.
 */
export async function accountIdOf(context: Context, bucketId: string): Promise<string> {
  const { reply } = await context.grant(context.accessFields(bucketId));
  return reply === undefined || reply.accountId === "" ? context.names.next() : reply.accountId;
}
