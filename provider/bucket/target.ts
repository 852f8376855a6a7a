import type { CallTarget } from "../contracts/contract";
import { wordsOf } from "../contracts/registry";
import { driverNameOf } from "../driver-resource/driver-reference";
import { requestsOf } from "../models/registry";
import type { CheckedInputs } from "./state";

/** Told of every attempt that failed and is made again, in words, secrets masked. */
export type Retrying = (what: string) => void;

/**
 * What a call for a bucket is about.
 *
 * @param bucket Its name before its id is known, then its id.
 */
export function targetOf(
  { name, driver, objects }: CheckedInputs,
  bucket: string,
  retrying?: Retrying,
): CallTarget {
  const claim = objects?.claim ?? null;
  const kind = objects === undefined ? "" : requestsOf(objects.model).bucket;
  const whose = claim === null ? "" : ` of ${kind} ${claim.namespace}/${claim.name}`;
  return {
    bucket,
    subject: `${wordsOf(driver).object} ${name}${whose}`,
    driverName: driverNameOf(driver),
    ...(retrying === undefined ? {} : { retrying }),
  };
}
