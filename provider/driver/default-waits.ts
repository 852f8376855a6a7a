/**
 * Waits of the caller, which the specification leaves to it.
 * Source: requirements of cosi.v1alpha1, section 1.
 */
export const defaultWaits = {
  connectTimeoutSeconds: 30,
  callTimeoutSeconds: 60,
  retryBudgetSeconds: 120,
  firstRetryDelayMilliseconds: 200,
} as const;
