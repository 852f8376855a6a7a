import type { KubernetesFailure } from "./kubernetes-error";

/** Attempts where it is not known that there is a server which is overloaded or away: 3 seconds. */
const fewAttempts = 5;
const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** No connection came about, or it broke: asking again is worth it. */
const connectionCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
]);
/** A server that is overloaded, or restarts behind a proxy. */
const awayStatus = new Set([429, 502, 503, 504]);

/**
 * The pause before the next attempt, in milliseconds; `undefined` where there is none.
 *
 * @param attempts How many there have been.
 */
export function pauseBeforeNext(
  { code, reason, retryAfterMs = 0 }: Pick<KubernetesFailure, "code" | "reason" | "retryAfterMs">,
  attempts: number,
): number | undefined {
  const isAway = code !== undefined && awayStatus.has(code);
  const mayPass = code === undefined ? connectionCodes.has(reason) : code === 500;
  if (!isAway && !(mayPass && attempts < fewAttempts)) return undefined;
  return Math.max(Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs), retryAfterMs);
}

/** @param value Of the header: seconds, or a date. @returns Milliseconds. */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
