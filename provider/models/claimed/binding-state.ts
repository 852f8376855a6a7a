import { isRecord, secretValues } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import type { KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";

/** What a claim takes from its class when its bucket is made. */
export interface BucketClassCopy {
  name: string;
  driverName: string;
  deletionPolicy: string;
  /** `null` for a class without parameters. */
  parameters: Record<string, string> | null;
  /** The program marked a parameter as secret. */
  secretParameters?: boolean | null;
}

/** Fields of `spec` of a Bucket object. */
export type BucketFields = { deletionPolicy: string } & Record<string, unknown>;

/** What every binding of a claim is given, beside what its API model adds. */
export interface BindingInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: string;
  claim: { namespace: string; name: string; uid: string };
  bucketClass?: BucketClassCopy | null;
  /**
   * What the Bucket object says beside what comes from class and claim, as it was when the bucket was made: the bucket's own
   * resource writes the policy of later.
   */
  bucketFields?: BucketFields | null;
  /** Name of a static Bucket object. */
  existingBucketName?: string | null;
  /** What the program says of the claim's bucket. @default true */
  protectData?: boolean;
}

/** What a binding of a claim has made. */
export interface BindingOutputs extends BindingInputs {
  bucketName: string;
  /** UID of the Bucket object that the binding has made; `null` for a static one, and where nothing is known of it. */
  bucketUid?: string | null;
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

/** Those that a program gives, and that stand in the state as it gives them. */
export const bindingInputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "claim",
  "bucketClass",
  "bucketFields",
  "existingBucketName",
] as const satisfies readonly (keyof BindingInputs)[];

/** True for a claim that names its Bucket, which was there before it. */
export function isStatic<T extends BindingInputs>(inputs: T): inputs is T & { existingBucketName: string } {
  return typeof inputs.existingBucketName === "string";
}

/** What was copied stays secret, whatever the program says of the class now: Pulumi takes what is secret from it. */
export function withSecretCopy(copy: BucketClassCopy | null): BucketClassCopy | null {
  if (copy?.secretParameters !== true || copy.parameters === null) return copy;
  return { ...copy, parameters: secretValues(copy.parameters) };
}

/** The copy of the class that a claim has: one that is edited, or made anew under its name, changes no bucket that exists. */
export function keptCopy(
  olds: Pick<BindingInputs, "bucketClass">,
  news: Pick<BindingInputs, "bucketClass">,
): BucketClassCopy | null {
  const [before, now] = [olds.bucketClass, news.bucketClass];
  const isKept = isRecord(before) && isRecord(now) && before.name === now.name;
  return withSecretCopy((isKept ? before : now) ?? null);
}

/** The properties of a binding as the state has them. */
export function bindingOutputs(outputs: BindingOutputs): BindingOutputs {
  const { kubernetes, owner, resource, claim, bucketClass, bucketFields, existingBucketName } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    owner,
    resource,
    claim,
    bucketClass: withSecretCopy(bucketClass ?? null),
    bucketFields: bucketFields ?? null,
    existingBucketName: existingBucketName ?? null,
    bucketName: outputs.bucketName,
    bucketUid: outputs.bucketUid ?? null,
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
