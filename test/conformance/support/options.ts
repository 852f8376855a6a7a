import { AuthenticationType } from "../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { ConformanceOptions } from "../../../conformance/options";

/** Options of a run with short waits. */
export function options(more: Partial<ConformanceOptions>): ConformanceOptions {
  return {
    contract: "cosi.v1alpha1",
    parameters: new Map(),
    otherParameters: new Map([["class", "other"]]),
    accessParameters: new Map(),
    otherAccessParameters: new Map([["class", "other"]]),
    authenticationType: AuthenticationType.Key,
    prefix: "cosi-conformance",
    timeoutSeconds: 2,
    idleSeconds: 0,
    checkCredentials: false,
    largeFields: false,
    ...more,
  };
}
