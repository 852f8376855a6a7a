import { FailedResourceError } from "../../dynamic/failed";
import { secretValues } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import type { ApiProtocol } from "../cosi-proposals/protocols";
import { contentNameOf, type BucketName } from "./names";
import type { BucketClassCopy } from "./specs";

export interface ContentInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  model: string;
  bucket: BucketName;
  requestProtocol: ApiProtocol;
  bucketPrefix?: string | null;
  /** The class of the program; kept while its name stays. */
  bucketClass?: BucketClassCopy | null;
  /** A class of the cluster, by name. */
  bucketClassName?: string | null;
  /** A driver makes calls for the Bucket. */
  isManaged: boolean;
  /** Name of that driver. */
  provisioner?: string | null;
  secretName: string;
  secretTimeoutSeconds?: number | null;
  sourceNamespace: string;
  protectData?: boolean | null;
}

export interface ContentOutputs extends ContentInputs {
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

export const contentInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "model",
  "bucket",
  "requestProtocol",
  "bucketPrefix",
  "bucketClass",
  "bucketClassName",
  "isManaged",
  "provisioner",
  "secretName",
  "secretTimeoutSeconds",
  "sourceNamespace",
  "protectData",
] as const satisfies readonly (keyof ContentInputs)[];

/** Name of the class, whichever way it is given. */
export function classNameOf({ bucketClass, bucketClassName }: ContentInputs): string {
  return bucketClass?.name ?? bucketClassName ?? "";
}

/** Name of the BucketContent. */
export function contentOf(inputs: ContentInputs): string {
  return contentNameOf(classNameOf(inputs), inputs.bucket);
}

/** What was copied stays secret, whatever the program says of the class now: Pulumi takes what is secret from it. */
export function withSecretCopy(copy: BucketClassCopy | null): BucketClassCopy | null {
  if (copy?.secretParameters !== true) return copy;
  const { parameters, bucketIdentifier } = copy;
  return {
    ...copy,
    parameters: secretValues(parameters),
    bucketIdentifier: bucketIdentifier === null ? null : secretValues(bucketIdentifier),
  };
}

/** What the state keeps. */
export function contentOutputs(outputs: ContentOutputs): ContentOutputs {
  const { owner, resource, model, bucket, requestProtocol, isManaged, secretName, sourceNamespace } = outputs;
  const all = {
    owner,
    resource,
    model,
    bucket,
    requestProtocol,
    isManaged,
    secretName,
    sourceNamespace,
    kubernetes: targetOutput(outputs.kubernetes),
    bucketClass: withSecretCopy(outputs.bucketClass ?? null),
    bucketPrefix: outputs.bucketPrefix ?? null,
    bucketClassName: outputs.bucketClassName ?? null,
    provisioner: outputs.provisioner ?? null,
    secretTimeoutSeconds: outputs.secretTimeoutSeconds ?? null,
    protectData: outputs.protectData ?? true,
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}

/** The error with which the resource stays in the state, so that a `destroy` takes off what it put on. */
export function contentKept(inputs: ContentInputs, message: string, cause?: unknown): FailedResourceError {
  const outputs = contentOutputs({ ...inputs, drift: ["not made completely"] });
  return new FailedResourceError(message, contentOf(inputs), { ...inputs, ...outputs }, { cause });
}
