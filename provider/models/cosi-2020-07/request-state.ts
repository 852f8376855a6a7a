import { secretValues } from "../../dynamic/values";
import { FailedResourceError } from "../../dynamic/failed";
import { stateFormat } from "../../dynamic/state-format";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { bucketNameOf, type Request } from "./names";
import type { BucketClassCopy } from "./specs";
import type { ApiProtocol } from "../cosi-proposals/protocols";

export interface RequestInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  model: string;
  request: Request;
  protocol: ApiProtocol;
  bucketPrefix?: string | null;
  /** The class of the program; kept while its name stays. */
  bucketClass?: BucketClassCopy | null;
  /** The request names no class: it keeps the default one that it had first, K07-027. */
  byDefault?: boolean | null;
  /** A class of the cluster, by name. */
  bucketClassName?: string | null;
  bucketInstanceName?: string | null;
  /** Name of the driver that is given, for a class that is looked up. */
  provisioner?: string | null;
  protectData?: boolean | null;
}

export interface RequestOutputs extends RequestInputs {
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

export const requestInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "model",
  "request",
  "protocol",
  "bucketPrefix",
  "bucketClass",
  "byDefault",
  "bucketClassName",
  "bucketInstanceName",
  "provisioner",
  "protectData",
] as const satisfies readonly (keyof RequestInputs)[];

/** True for a request that names a Bucket which is there, so that none is made. */
export function isBrownfield<T extends RequestInputs>(
  inputs: T,
): inputs is T & { bucketInstanceName: string } {
  return typeof inputs.bucketInstanceName === "string" && inputs.bucketInstanceName !== "";
}

/** Name of the Bucket object that the request gets. */
export function bucketOf(inputs: RequestInputs): string {
  return isBrownfield(inputs) ? inputs.bucketInstanceName : bucketNameOf(inputs.request);
}

/** The name that the driver is asked for: K07-023. */
export function backendNameOf({ bucketPrefix, request }: RequestInputs): string {
  return `${bucketPrefix ?? ""}${request.uid}`;
}

/** What was copied stays secret, whatever the program says of the class now: Pulumi takes what is secret from it. */
export function withSecretCopy<
  Copy extends { parameters: Record<string, string>; secretParameters?: boolean | null },
>(copy: Copy | null): Copy | null {
  return copy?.secretParameters === true ? { ...copy, parameters: secretValues(copy.parameters) } : copy;
}

/** What the state keeps of a request. */
export function requestOutputs(outputs: RequestOutputs): RequestOutputs {
  const { owner, resource, model, request, protocol } = outputs;
  const all = {
    owner,
    resource,
    model,
    request,
    protocol,
    kubernetes: targetOutput(outputs.kubernetes),
    bucketClass: withSecretCopy(outputs.bucketClass ?? null),
    byDefault: outputs.byDefault ?? null,
    bucketPrefix: outputs.bucketPrefix ?? null,
    bucketClassName: outputs.bucketClassName ?? null,
    bucketInstanceName: outputs.bucketInstanceName ?? null,
    provisioner: outputs.provisioner ?? null,
    protectData: outputs.protectData ?? true,
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}

/** The error with which a request stays in the state, so that a `destroy` takes off what it put on. */
export function requestKept(inputs: RequestInputs, message: string, cause?: unknown): FailedResourceError {
  const outputs = requestOutputs({ ...inputs, drift: ["not bound"] });
  return new FailedResourceError(message, bucketOf(inputs), { ...inputs, ...outputs }, { cause });
}
