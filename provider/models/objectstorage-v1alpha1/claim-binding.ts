import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource, parentUrn } from "../../dynamic/resource";
import { isRecord, isUnknown, sameValue, secretValues } from "../../dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { DeepInput } from "../../kubernetes/deep-input";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { refuseForeign } from "../../kubernetes/name-guard";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { isOwnedByStack } from "../../kubernetes/ownership";
import { refuseForeignSuccessor } from "../../kubernetes/successor";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { noteProtection } from "../../run/given-up";
import { warn } from "../../run/warning";
import { refuseForeignAccesses } from "./foreign-accesses";
import { bucketNameFormatProblem, bucketNameOf, type BucketNameFormat } from "./bucket-name";
import { bucketClaimKind, bucketKind, finalizers } from "./kinds";
import { markBound, requireBindable, unmarkBound } from "./static-binding";
import { bucketStatus, claimStatus } from "./status";
import { heldDeletion, terminatingNotes } from "../terminating";

/** What a claim takes from its BucketClass when its bucket is made. */
export interface BucketClassCopy {
  name: string;
  driverName: string;
  deletionPolicy: string;
  /** `null` for a class without parameters. */
  parameters: Record<string, string> | null;
  /** The program marked a parameter as secret. */
  secretParameters?: boolean | null;
}

/** Inputs of {@link ClaimBinding}: a class, or an existing Bucket object. */
export interface ClaimBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  claim: DeepInput<{ namespace: string; name: string; uid: string }>;
  bucketClass?: DeepInput<BucketClassCopy> | undefined;
  /** Name of a static Bucket object. */
  existingBucketName?: pulumi.Input<string> | undefined;
  /** @default "v0.2.2" */
  bucketNameFormat?: pulumi.Input<BucketNameFormat> | undefined;
  /** What the program says of the claim's bucket. @default true */
  protectData?: pulumi.Input<boolean> | undefined;
}

interface BindingInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  resource: string;
  claim: { namespace: string; name: string; uid: string };
  bucketClass?: BucketClassCopy | null;
  existingBucketName?: string | null;
  bucketNameFormat: BucketNameFormat;
  protectData?: boolean;
  /** URN of the component. */
  parent?: string;
}

interface BindingOutputs extends BindingInputs {
  bucketName: string;
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

/**
 * The step between a BucketClaim and its Bucket object: protects the claim by its finalizer, settles which Bucket it
 * gets and that this name is not somebody else's, and keeps what the claim took from its class. It is created before
 * the Bucket object and thus deleted after it, which is when the claim's finalizer has to go.
 *
 * Its id is the name of the Bucket object, which is also the name that the driver gets: an id stays known in the
 * preview of an update, where an output does not.
 */
export class ClaimBinding extends DynamicResource {
  /** The claim, with the UID that was recorded. */
  declare readonly claim: pulumi.Output<{ namespace: string; name: string; uid: string }>;
  /** The copy of the class; a claim for a static Bucket has none. */
  declare readonly bucketClass: pulumi.Output<BucketClassCopy>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/objectstorage:ClaimBinding";

  constructor(name: string, args: ClaimBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      bucketName: undefined,
      bucketClass: undefined,
      drift: undefined,
      schemaVersion: undefined,
    };
    const bucketNameFormat = args.bucketNameFormat ?? "v0.2.2";
    const props = { ...outputs, ...args, bucketNameFormat, parent: parentUrn(opts ?? {}) };
    const file = "models/objectstorage-v1alpha1/claim-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/objectstorage", "ClaimBinding", file, name, props, first);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "claim",
  "bucketClass",
  "existingBucketName",
  "bucketNameFormat",
] as const satisfies readonly (keyof BindingInputs)[];

/** Logic of {@link ClaimBinding}, called by Pulumi's host. */
export const provider = hosted<BindingInputs, BindingOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    const { bucketClass, parent, protectData } = news;
    noteProtection(parent, protectData);
    if (isRecord(bucketClass) && !isUnknown(bucketClass.name)) {
      const { name } = bucketClass;
      failures.judge("bucketNameFormat", news.bucketNameFormat, (format) =>
        bucketNameFormatProblem(format, name),
      );
    }
    // A class that is edited, or made anew under its name, changes no bucket that exists: OS1-011.
    const kept =
      isRecord(olds.bucketClass) && isRecord(bucketClass) && olds.bucketClass.name === bucketClass.name;
    return Promise.resolve(
      failures.result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        claim: keepUid(olds.claim, news.claim),
        bucketClass: withSecretCopy((kept ? olds.bucketClass : bucketClass) ?? null),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["claim", "existingBucketName"]);
    if (!sameValue(olds.bucketClass?.name, news.bucketClass?.name)) replaces.push("bucketClass");
    const isChanged = !sameValue(olds.owner, news.owner);
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    const { claim } = inputs;
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    const found = await requireClaim(client, inputs);
    const held = heldDeletion(bucketClaimKind, found, finalizers.claim);
    if (held !== undefined) throw keptAsFailed(inputs, recordedBucketName(inputs, found), held);
    requireNotTerminating(bucketClaimKind, claim, found);
    const bucketName = await settleBucketName(client, inputs, found);
    const outs = { ...inputs, bucketName, drift: [] };
    let protectedNow = false;
    try {
      await addFinalizers(client, bucketClaimKind, claim, claim.uid, [finalizers.claim]);
      protectedNow = true;
      await bindStatic(client, outs);
    } catch (error) {
      if (!protectedNow && isRefusal(error)) throw error;
      // The finalizer is on, or may be: the resource stays in the state, and its deletion takes it off.
      throw keptAsFailed(inputs, bucketName, errorText(error), error);
    }
    return { id: bucketName, outs: outputsOf(outs) };
  },

  async update(_id, olds, news) {
    const client = await connectKubernetes(news.kubernetes ?? {});
    const outs = { ...news, bucketName: olds.bucketName, drift: [] };
    await addFinalizers(client, bucketClaimKind, news.claim, news.claim.uid, [finalizers.claim]);
    await bindStatic(client, outs);
    return { outs: outputsOf(outs) };
  },

  async read(id, recorded) {
    const props = requireRecorded("ClaimBinding", id, recorded);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(bucketClaimKind, props.claim);
    // With the claim goes what bound it: the next one has another UID, and another bucket.
    if (found === undefined) return {};
    const same = found.metadata.uid === props.claim.uid;
    if (!same && isOwnedByStack(found, props)) return {};
    // One of somebody else: the binding stays, so that its deletion stops before @pulumi/kubernetes deletes that claim.
    const drift = same
      ? driftOf(found, props)
      : ["the BucketClaim of this name is not the one of this stack"];
    if (same)
      for (const { kind, name, text } of terminatingNotes(bucketClaimKind, found)) warn(kind, name, text);
    const outs = outputsOf({ ...props, drift });
    return refreshed(id, outs, inputKeys);
  },

  async delete(_id, props) {
    const { claim, bucketName } = props;
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(bucketClaimKind, claim);
    refuseForeignSuccessor(bucketClaimKind, claim, found, claim.uid, props);
    // OS1-072: a static claim has no bucket of its own, whose deletion would ask.
    if (found?.metadata.uid === claim.uid) await refuseForeignAccesses(client, claim, props, "claim");
    if (isStatic(props)) await unmarkBound(client, bucketName, claim);
    await removeFinalizers(client, bucketClaimKind, claim, claim.uid, [finalizers.claim]);
  },
});

/** What was copied stays secret, whatever the program says of the class now: Pulumi takes what is secret from it. */
function withSecretCopy(copy: BucketClassCopy | null): BucketClassCopy | null {
  if (copy?.secretParameters !== true || copy.parameters === null) return copy;
  return { ...copy, parameters: secretValues(copy.parameters) };
}

function driftOf(claim: KubernetesObject, props: BindingOutputs): string[] {
  const drift: string[] = [];
  if (claim.metadata.finalizers?.includes(finalizers.claim) !== true) {
    drift.push(`BucketClaim's finalizer ${finalizers.claim} is missing`);
  }
  const { bucketName, bucketReady } = claimStatus(claim);
  if (isStatic(props) && (bucketName !== props.bucketName || !bucketReady)) {
    drift.push("BucketClaim's status does not say that the bucket is ready");
  }
  return drift;
}

async function requireClaim(client: KubernetesClient, inputs: BindingInputs): Promise<KubernetesObject> {
  const { claim } = inputs;
  const found = await client.get(bucketClaimKind, claim);
  if (found === undefined) throw new RefusedError(`${describe(bucketClaimKind, claim)} does not exist`);
  requireUid(bucketClaimKind, claim, found, claim.uid);
  if (!isOwnedByStack(found, inputs)) {
    throw new RefusedError(
      `${describe(bucketClaimKind, claim)} was not made by this stack; choose another name`,
    );
  }
  return found;
}

/** A claim that names its Bucket already keeps it, whatever the format: OS1-031. */
async function settleBucketName(
  client: KubernetesClient,
  inputs: BindingInputs,
  claim: KubernetesObject,
): Promise<string> {
  if (isStatic(inputs)) {
    const bucket = await requireBindable(client, inputs.existingBucketName, inputs.claim);
    if (!bucketStatus(bucket).bucketReady) {
      throw new RefusedError(`${describe(bucketKind, bucket.metadata)} is not ready (status.bucketReady)`);
    }
    return inputs.existingBucketName;
  }
  const name = recordedBucketName(inputs, claim);
  await refuseForeign(client, bucketKind, { name }, [inputs]);
  return name;
}

/** The name that the claim has for its Bucket already, or will have; nothing is looked up. */
function recordedBucketName(inputs: BindingInputs, claim: KubernetesObject): string {
  if (isStatic(inputs)) return inputs.existingBucketName;
  const { bucketNameFormat, bucketClass } = inputs;
  const recorded = claimStatus(claim).bucketName;
  return recorded === ""
    ? bucketNameOf(bucketNameFormat, inputs.claim.uid, bucketClass?.name ?? "")
    : recorded;
}

/** The error with which a binding whose finalizer is on stays in the state: its deletion takes the finalizer off. */
function keptAsFailed(
  inputs: BindingInputs,
  bucketName: string,
  message: string,
  cause?: unknown,
): FailedResourceError {
  const properties = { ...inputs, ...outputsOf({ ...inputs, bucketName, drift: ["not bound"] }) };
  return new FailedResourceError(message, bucketName, properties, { cause });
}

/** A static Bucket is ready before its claim is: nothing but the claim's status is left to write. */
async function bindStatic(client: KubernetesClient, outs: BindingOutputs): Promise<void> {
  if (!isStatic(outs)) return;
  const { claim, bucketName } = outs;
  await requireBindable(client, bucketName, claim);
  await markBound(client, bucketName, claim);
  await client.patchStatus(bucketClaimKind, claim, { bucketName, bucketReady: true });
}

function isStatic<T extends BindingInputs>(inputs: T): inputs is T & { existingBucketName: string } {
  return typeof inputs.existingBucketName === "string";
}

function outputsOf(outputs: BindingOutputs): BindingOutputs {
  const { kubernetes, owner, resource, claim, bucketClass, existingBucketName, bucketNameFormat } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    owner,
    resource,
    claim,
    bucketClass: withSecretCopy(bucketClass ?? null),
    existingBucketName: existingBucketName ?? null,
    bucketNameFormat,
    bucketName: outputs.bucketName,
    drift: outputs.drift ?? [],
    schemaVersion: 1,
  };
  return all;
}
