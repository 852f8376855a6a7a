import { withoutHidden } from "../../../provider/dynamic/state-properties";
import { isRecord } from "../../../provider/dynamic/values";
import type { Stack } from "../stack";

/** What is random or a time in the state of a resource, or follows from what is dumped elsewhere. */
const unsteady = new Set([
  "__provider",
  "seed",
  "accountId",
  "kubeconfig",
  "grantedAt",
  "rotationSince",
  "checksum",
]);

const guard = ":NameGuard::";

/**
 * The state of a stack, as far as two runs of one program have the same.
 *
 * @param living UIDs of the objects that are there.
 */
export async function dumpState(
  stack: Stack,
  living: readonly string[],
): Promise<{ pending: string[]; resources: { urn: string; [aspect: string]: unknown }[] }> {
  const { text } = await stack.state();
  const { deployment } = JSON.parse(text) as {
    deployment: { resources?: StateResource[]; pending_operations?: { type: string }[] };
  };
  const { resources = [], pending_operations: pending = [] } = deployment;
  const others = JSON.stringify(resources.filter(({ urn }) => !urn.includes(guard)));
  const unknown = living.filter((uid) => !others.includes(uid));
  return {
    // Pulumi keeps the note of a create that was cut off until a refresh, whatever was created since.
    pending: pending.map(({ type }) => type).filter((type) => type !== "creating"),
    resources: resources.map(({ urn, id, delete: deleting = false, initErrors = [], outputs = {} }) => ({
      urn: urn.slice(urn.indexOf("::program::")),
      ...(urn.includes("pulumi:providers:") ? {} : { id }),
      deleting,
      initErrors,
      // What @pulumi/kubernetes keeps is a copy of the object at some time.
      ...(urn.includes("pulumi-nodejs:dynamic")
        ? { outputs: dumped(urn, withoutHidden(outputs), unknown) }
        : {}),
    })),
  };
}

interface StateResource {
  readonly urn: string;
  readonly id?: string;
  readonly delete?: boolean;
  readonly initErrors?: readonly string[];
  readonly outputs?: object;
}

/**
 * A guard of a name has the UID of its object from the first refresh on, or from a run that found the object there, and keeps
 * it over a replacement till the next refresh: only that of an object which the rest of the state does not know is a difference.
 */
function dumped(urn: string, outputs: object, unknown: readonly string[]): unknown {
  const entries = Object.entries(outputs).filter(
    ([key, value]) =>
      key !== "uid" || !urn.includes(guard) || (typeof value === "string" && unknown.includes(value)),
  );
  return steady(Object.fromEntries(entries));
}

function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (!isRecord(value)) return value;
  if ("ciphertext" in value) return "secret";
  const entries = Object.entries(value).filter(([key]) => !unsteady.has(key));
  return Object.fromEntries(entries.map(([key, each]) => [key, steady(each)]));
}
