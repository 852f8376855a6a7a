import type { CheckedInputs } from "./state";
import type { BucketInfo } from "../contracts/contract";
import { contractOf } from "../contracts/registry";

/**
 * What is known of a bucket whose driver has told nothing of it: one that was there before, or whose create had its answer
 * lost. `null` for a contract that needs nothing of it in later calls.
 */
export function untoldInfo({ driver, protocol = "S3", parameters = {} }: CheckedInputs): BucketInfo | null {
  return contractOf(driver.contract).untoldInfo?.(protocol, parameters) ?? null;
}
