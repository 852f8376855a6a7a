import { createHash } from "node:crypto";

/** Longest name of an IAM user (IAM user guide, "IAM and AWS STS quotas"). */
const MAX_USER_NAME = 64;

const ACCOUNT_HASH = 20;
const INTENT_HASH = 40;

/** True for what the users of all drivers of this kind are called. */
export function isDriversUserName(name: string): boolean {
  return name.startsWith("cosi-");
}

/**
 * The IAM user of an account: readable, the same for the same driver and account, and of a form that nobody else
 * gives to a user. So a user of that name without tags is the driver's own, left by a grant that was cut short.
 */
export function accountUserName(driver: string, account: string): string {
  const hash = sha256(`${driver}\naccount\n${account}`).slice(0, ACCOUNT_HASH);
  const room = MAX_USER_NAME - "cosi--".length - ACCOUNT_HASH;
  // Half a character, which no account has that was granted, could not even be asked for.
  return `cosi-${account.slice(0, room).toWellFormed()}-${hash}`;
}

/** The IAM user that stands for the intent to create a bucket. */
export function intentUserName(driver: string, bucket: string): string {
  return `cosi-intent-${sha256(`${driver}\nbucket\n${bucket}`).slice(0, INTENT_HASH)}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
