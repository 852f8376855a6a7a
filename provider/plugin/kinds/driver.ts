import { provider } from "../../driver-resource/provider";
import { sameDriverName } from "../../driver/connect/driver-name";
import { defaultWaits } from "../../driver/settings";
import { select } from "../../dynamic/select";
import { holdsSecret, isRecord, isUnknown } from "../../dynamic/values";
import { isEmptyMap } from "../lost-parts";
import { untyped, type ResourceKind } from "../kind";
import type { Properties } from "../properties";
import { secret } from "../secrets";
import { keptFromPlans, underOwnNames, underStateNames } from "./kept-from-plans";

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
  references: {},
  otherNames: {},
  ownInputs: ["logicalName", "secretCommand"],
  complete: (inputs) => ({
    ...inputs,
    contract: inputs["contract"] ?? "cosi.v1alpha1",
    ...Object.fromEntries(Object.entries(defaultWaits).map(([wait, value]) => [wait, inputs[wait] ?? value])),
    // An empty one is none: it is told from one that was lost on the way to whom the reference is given.
    environment: isEmptyMap(inputs["environment"]) ? undefined : secret(inputs["environment"] ?? undefined),
    tls: withSecretKey(inputs["tls"]),
    secretCommand: holdsSecret(inputs["command"]) ? true : undefined,
  }),
  inward: (inputs) => underOwnNames(inputs, keptFromPlans),
  outward: (inputs) => underStateNames(inputs, keptFromPlans),
  inputName: (input) => input,
  reference: (outputs) => select<Record<string, unknown>, string>(outputs, referenceKeys),
  endedByDelete: () => undefined,
  settled: (olds, news) => (keepsName(olds, news) ? ["seed", "driverName"] : ["seed"]),
  demanded: (olds, news) => {
    const name = news["driverName"] ?? undefined;
    return name === undefined || isUnknown(name) || keepsName(olds, news) ? [] : ["driverName"];
  },
};

/** True if the driver must report the recorded name again, in whatever spelling: no other one is demanded. */
function keepsName(olds: Properties, news: Properties): boolean {
  const [before, demanded] = [olds["driverName"], news["driverName"] ?? olds["driverName"]];
  if (typeof before !== "string" || typeof demanded !== "string" || isUnknown(demanded)) return false;
  return sameDriverName(before, demanded);
}

function withSecretKey(tls: unknown): unknown {
  return isRecord(tls) && tls["key"] !== undefined && tls["key"] !== null
    ? { ...tls, key: secret(tls["key"]) }
    : tls;
}
