import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { kindOf } from "./store-error";

/** How often a client sends a request. */
export type Attempts = Pick<S3ClientConfig, "maxAttempts" | "retryStrategy">;

/**
 * One attempt. After the first refusal the SDK knows how far the clock of this machine is off, and a second attempt is good:
 * such a refusal says that nothing was done, which no other answer is taken to say.
 */
export const ONCE: Attempts = {
  maxAttempts: 1,
  retryStrategy: {
    acquireInitialRetryToken: () => Promise.resolve(attempt(0)),
    refreshRetryTokenForRetry: (token, { error }) =>
      token.getRetryCount() === 0 && error?.$metadata?.clockSkewCorrected === true && isRefusal(error)
        ? Promise.resolve(attempt(1))
        : Promise.reject(new Error("the request is sent once")),
    recordSuccess: () => undefined,
  },
};

function isRefusal(error: unknown): boolean {
  return ["unauthenticated", "permission-denied"].includes(kindOf(error));
}

function attempt(count: number): { getRetryCount: () => number; getRetryDelay: () => number } {
  return { getRetryCount: () => count, getRetryDelay: () => 0 };
}
