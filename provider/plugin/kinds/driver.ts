import { provider } from "../../driver-resource/provider";
import { defaultWaits } from "../../driver/settings";
import { select } from "../../dynamic/select";
import { holdsSecret, isRecord, sameValue } from "../../dynamic/values";
import { untyped, type ResourceKind } from "../kind";
import { secret } from "../secrets";

/** What a bucket or an access keeps of its driver. */
const referenceKeys = [
  "endpoint",
  "tls",
  "command",
  "secretCommand",
  "environment",
  "contract",
  "identityMethod",
  "connectTimeoutSeconds",
  "callTimeoutSeconds",
  "retryBudgetSeconds",
  "firstRetryDelayMilliseconds",
  "maxConcurrentCalls",
  "largeFields",
  "driverName",
  "seed",
] as const;

/** `cosi:index:Driver`. */
export const driverKind: ResourceKind = {
  type: "Driver",
  provider: untyped(provider),
  computed: ["driverName", "seed", "demandedDriverName", "schemaVersion"],
  stable: ["seed"],
  problems: () => [],
  complete: (inputs) => ({
    ...inputs,
    contract: inputs["contract"] ?? "cosi.v1alpha1",
    ...Object.fromEntries(Object.entries(defaultWaits).map(([wait, value]) => [wait, inputs[wait] ?? value])),
    environment: secret(inputs["environment"] ?? undefined),
    tls: withSecretKey(inputs["tls"]),
    secretCommand: holdsSecret(inputs["command"]) ? true : undefined,
  }),
  inward: (inputs) => inputs,
  outward: (inputs) => inputs,
  inputName: (input) => input,
  reference: (outputs) => select<Record<string, unknown>, string>(outputs, referenceKeys),
  settled: (olds, news) =>
    sameValue(olds["demandedDriverName"], news["driverName"]) ? ["seed", "driverName"] : ["seed"],
};

function withSecretKey(tls: unknown): unknown {
  return isRecord(tls) && tls["key"] !== undefined && tls["key"] !== null
    ? { ...tls, key: secret(tls["key"]) }
    : tls;
}
