import { RefusedError } from "../../kubernetes/kubernetes-error";
import type { RequestPhase } from "./specs";

/** A BucketRequest cannot be met, and its status says why. */
export class RequestRefusedError extends RefusedError {
  constructor(
    readonly phase: RequestPhase,
    message: string,
  ) {
    super(message);
  }
}
