/** How many checks and tests passed and failed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}
