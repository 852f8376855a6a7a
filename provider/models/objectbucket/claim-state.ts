import { FailedResourceError } from "../../dynamic/failed";
import { secretValues } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { claimIdOf, type ClaimId } from "./claim-id";
import type { ClaimClass } from "./class-parameters";
import type { BucketNaming } from "./names";
import type { Dialect } from "./status";

export interface ClaimInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  namespace: string;
  name: string;
  /** The program gives no name. */
  isDefaultName?: boolean | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, string> | null;
  /** The class of the program; kept while its name stays. */
  storageClass?: ClaimClass | null;
  storageClassName: string;
  /** Provisioner that the driver serves; kept with the class. */
  provisioner: string;
  driverName: string;
  bucketName?: string | null;
  /** What was said when the bucket was named stays. */
  generateBucketName?: string | null;
  naming: BucketNaming;
  preferBucketName: boolean;
  /** The class has to name a bucket. */
  brownfield: boolean;
  additionalConfig?: Record<string, string> | null;
  allowedAdditionalConfig: string[];
  /** What a change of `additionalConfig` does; without it, it is refused. */
  configChange?: "replace" | "resend" | null;
  allowOperatorProvisioner: boolean;
  /** Name of the ObjectBucket; one that is in the state stays. */
  objectBucketName: string;
  secretName: string;
  configMapName: string;
  dialect: Dialect;
  /** The claim is there, and is taken as it is. */
  adopt: boolean;
  /** A bucket of its name that was there is taken over, and never deleted. */
  takesBucket: boolean;
  protectData?: boolean | null;
  /** What the user should know of the inputs. */
  warnings?: string[] | null;
}

export interface ClaimOutputs extends ClaimInputs {
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
  /** A refresh has found the claim gone: the next one has another UID. */
  lost?: boolean | null;
}

export const claimInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "namespace",
  "name",
  "isDefaultName",
  "labels",
  "annotations",
  "storageClass",
  "storageClassName",
  "provisioner",
  "driverName",
  "bucketName",
  "generateBucketName",
  "naming",
  "preferBucketName",
  "brownfield",
  "additionalConfig",
  "allowedAdditionalConfig",
  "configChange",
  "allowOperatorProvisioner",
  "objectBucketName",
  "secretName",
  "configMapName",
  "dialect",
  "adopt",
  "takesBucket",
  "protectData",
  "warnings",
] as const satisfies readonly (keyof ClaimInputs)[];

/** What was copied stays secret, whatever the program says of the class now: Pulumi takes what is secret from it. */
export function withSecretCopy(copy: ClaimClass | null): ClaimClass | null {
  return copy?.secretParameters === true ? { ...copy, parameters: secretValues(copy.parameters) } : copy;
}

/** What the state keeps. */
export function claimOutputs(outputs: ClaimOutputs): ClaimOutputs {
  const all = {
    owner: outputs.owner,
    resource: outputs.resource,
    namespace: outputs.namespace,
    name: outputs.name,
    isDefaultName: outputs.isDefaultName ?? null,
    labels: outputs.labels ?? null,
    annotations: outputs.annotations ?? null,
    storageClass: withSecretCopy(outputs.storageClass ?? null),
    storageClassName: outputs.storageClassName,
    provisioner: outputs.provisioner,
    driverName: outputs.driverName,
    bucketName: outputs.bucketName ?? null,
    generateBucketName: outputs.generateBucketName ?? null,
    naming: outputs.naming,
    preferBucketName: outputs.preferBucketName,
    brownfield: outputs.brownfield,
    additionalConfig: outputs.additionalConfig ?? null,
    allowedAdditionalConfig: outputs.allowedAdditionalConfig,
    configChange: outputs.configChange ?? null,
    allowOperatorProvisioner: outputs.allowOperatorProvisioner,
    objectBucketName: outputs.objectBucketName,
    secretName: outputs.secretName,
    configMapName: outputs.configMapName,
    dialect: outputs.dialect,
    adopt: outputs.adopt,
    takesBucket: outputs.takesBucket,
    protectData: outputs.protectData ?? true,
    warnings: outputs.warnings ?? [],
    kubernetes: targetOutput(outputs.kubernetes),
    drift: outputs.drift ?? [],
    lost: outputs.lost ?? false,
    schemaVersion: stateFormat,
  };
  return all;
}

/** The error with which a claim stays in the state, so that a `destroy` takes off what it put on. */
export function claimKept(
  inputs: ClaimInputs,
  id: ClaimId,
  message: string,
  cause?: unknown,
): FailedResourceError {
  const outputs = claimOutputs({ ...inputs, drift: ["not made completely"] });
  return new FailedResourceError(message, claimIdOf(id), { ...inputs, ...outputs }, { cause });
}
