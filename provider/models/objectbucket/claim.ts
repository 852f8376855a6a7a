import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, isRecord, isUnknown, sameValue } from "../../dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges } from "../../kubernetes/identity";
import { keepNamed } from "../../kubernetes/kept-name";
import { isRefusal, KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject } from "../../kubernetes/metadata";
import { namespaceProblem, objectNameProblem } from "../../kubernetes/names";
import { refuseForeign } from "../../kubernetes/foreign-object";
import { configMapKind, describe, pathOf, secretKind, type KubernetesObject } from "../../kubernetes/object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { writersOfRun } from "../../kubernetes/writers";
import { noteProtection } from "../../run/given-up";
import { warn } from "../../run/warning";
import { heldDeletion, terminatingNotes } from "../terminating";
import { sameConfig } from "./additional-config";
import {
  refuseAdoptedReplacement,
  refuseLostAdoption,
  refuseOtherAdoption,
  warnOfUnwritten,
} from "./adoption";
import { claimIdOf, readClaimId, type ClaimId } from "./claim-id";
import { removeClaim } from "./claim-removal";
import { claimChange, claimDrift, newClaim } from "./claim-object";
import { claimProblems } from "./claim-rules";
import { adoptClaim, claimIdFor, newBucketName, settleClaim, type Settled } from "./claim-settle";
import {
  claimInputKeys,
  claimKept,
  claimOutputs,
  withSecretCopy,
  type ClaimInputs,
  type ClaimOutputs,
} from "./claim-state";
import { brownfieldBucketOf, operatorProvisionerProblem, type ClaimClass } from "./class-parameters";
import { finalizer, objectBucketClaimKind, objectBucketKind } from "./kinds";
import { objectBucketNameOf, type BucketNaming } from "./names";
import { readClaim } from "./records";
import { writePhase, type Dialect } from "./status";

/** Inputs of {@link Claim}. */
export interface ClaimArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
  /** The program gives no name; the first one then stays, whatever an alias calls the component. @default false */
  isDefaultName?: boolean | undefined;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** A class of the program. @default none: the cluster's is looked up */
  storageClass?: DeepInput<ClaimClass> | undefined;
  storageClassName: pulumi.Input<string>;
  /** Provisioner that the driver serves. */
  provisioner: pulumi.Input<string>;
  driverName: pulumi.Input<string>;
  bucketName?: pulumi.Input<string> | undefined;
  generateBucketName?: pulumi.Input<string> | undefined;
  naming: BucketNaming;
  preferBucketName: boolean;
  brownfield: boolean;
  additionalConfig?: pulumi.Input<Record<string, pulumi.Input<string>> | null> | undefined;
  allowedAdditionalConfig: string[];
  configChange?: "replace" | "resend" | undefined;
  allowOperatorProvisioner: boolean;
  objectBucketName: pulumi.Input<string>;
  secretName: pulumi.Input<string>;
  configMapName: pulumi.Input<string>;
  dialect: Dialect;
  adopt: boolean;
  takesBucket: boolean;
  protectData?: pulumi.Input<boolean> | undefined;
  warnings?: pulumi.Input<string[]> | undefined;
}

/**
 * The ObjectBucketClaim of a component. The program says a part of it, and a run the rest: the finalizer, the bucket's name,
 * the link to the ObjectBucket and the phase. So it is written here as a whole, and not by @pulumi/kubernetes.
 *
 * It is the first of what a component makes, and thus the last that goes: with its delete go the ObjectBucket, then the claim.
 * What was taken from the StorageClass is kept in it. Its id tells UID and bucket, see {@link claimIdOf}.
 */
export class Claim extends DynamicResource {
  /** The copy of the class. */
  declare readonly storageClass: pulumi.Output<ClaimClass>;
  declare readonly provisioner: pulumi.Output<string>;
  /** As the driver was told: another spelling of the same is none. */
  declare readonly additionalConfig: pulumi.Output<Record<string, string> | null>;
  declare readonly storageClassName: pulumi.Output<string>;
  /** A bucket of its name that was there is taken over, now or at an earlier time. */
  declare readonly takesBucket: pulumi.Output<boolean>;
  declare readonly name: pulumi.Output<string>;
  declare readonly secretName: pulumi.Output<string>;
  declare readonly configMapName: pulumi.Output<string>;
  /** Name of the ObjectBucket. */
  declare readonly objectBucketName: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/objectbucket:Claim";

  constructor(name: string, args: ClaimArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      storageClass: undefined,
      additionalConfig: undefined,
    };
    const props = { ...outputs, ...args };
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/objectbucket", "Claim", "models/objectbucket/claim", name, props, first);
  }
}

/** Logic of {@link Claim}, called by Pulumi's host. */
export const provider = hosted<ClaimInputs, ClaimOutputs>({
  configure: configureKubernetes,

  check(recorded, given) {
    const failures = new CheckFailures();
    const olds: Partial<ClaimInputs> = recorded;
    const news = keepNames(olds, given);
    const inputs = keepRecorded(olds, news);
    failures.judge("namespace", inputs.namespace, namespaceProblem);
    failures.judge("name", inputs.name, objectNameProblem);
    failures.judge("storageClassName", inputs.storageClassName, objectNameProblem);
    // OBC-036. Whoever adopts a claim says that its operator serves it no more.
    if (!inputs.allowOperatorProvisioner && !inputs.adopt) {
      failures.judge("provisioner", inputs.provisioner, operatorProvisionerProblem);
    }
    const { storageClass } = inputs;
    if (isRecord(storageClass) && !inputs.adopt) {
      // One that is in the state was judged when it was made.
      const isNamed = olds.name === undefined;
      const isConfigured = isNamed || !sameConfig(olds.additionalConfig, news.additionalConfig);
      for (const { input, text } of claimProblems(inputs, storageClass, { isNamed, isConfigured })) {
        failures.add(input, text);
      }
    }
    for (const written of writtenBy({ ...inputs, resource: given.resource })) {
      const problem = writersOfRun.problemOf(written);
      if (problem !== undefined) failures.add("name:", problem);
    }
    tellWarnings(olds, inputs);
    return Promise.resolve(failures.result(inputs));
  },

  diff(id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["namespace", "name"]);
    if (!isUnknown(news.storageClassName) && olds.storageClassName !== news.storageClassName) {
      replaces.push("storageClassName");
    }
    const known = readClaimId(id);
    noteProtection(known, news.protectData);
    if (isOtherBucket(known, olds, news)) replaces.push("bucketName");
    // One whose create had no answer has no UID, and no id can change.
    if ((olds.lost === true || known.uid === "") && !replaces.includes("name")) replaces.push("name");
    refuseOtherAdoption(olds, news);
    if (news.adopt) {
      if (olds.lost === true) refuseLostAdoption(olds);
      const names = (["secretName", "configMapName"] as const).filter(
        (key) => !isUnknown(news[key]) && olds[key] !== news[key],
      );
      refuseAdoptedReplacement(olds, [...replaces, ...names]);
    }
    if (isOtherConfig(olds, news) && replaces.length === 0) {
      if (news.configChange === "replace" && !news.adopt) replaces.push("additionalConfig");
      else if (news.configChange !== "resend" || known.isExisting || news.takesBucket)
        throw new Error(configRefusal(news, known.isExisting || news.takesBucket));
    }
    const told = [
      "owner",
      // Those of a claim that is adopted are as they were.
      ...(news.adopt ? [] : (["labels", "annotations"] as const)),
      "secretName",
      "configMapName",
      "additionalConfig",
      "configChange",
      "dialect",
    ] as const;
    const isChanged =
      containsUnknown(news.protectData) ||
      !sameValue(olds.protectData ?? true, news.protectData ?? true) ||
      // The bucket takes its policy from here.
      olds.takesBucket !== news.takesBucket ||
      told.some((key) => containsUnknown(news[key]) || !sameValue(olds[key] ?? null, news[key] ?? null));
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    if (inputs.adopt) {
      const { id, storageClass } = await adoptClaim(client, inputs);
      return { id: claimIdOf(id), outs: claimOutputs({ ...inputs, storageClass, drift: [] }) };
    }
    const settled = await settleClaim(client, inputs);
    const { id, storageClass } = await makeClaim(client, inputs, settled);
    return { id: claimIdOf(id), outs: claimOutputs({ ...inputs, storageClass, drift: [] }) };
  },

  async update(id, olds, news) {
    const client = await connectKubernetes(news.kubernetes ?? {});
    const known = readClaimId(id);
    // What a looked-up class gave is known from the create on, unless that did not come so far.
    const storageClass = olds.storageClass ?? news.storageClass ?? null;
    const inputs = { ...news, storageClass };
    if (inputs.adopt) return { outs: claimOutputs({ ...inputs, drift: [] }) };
    const isConfigNew = !sameConfig(olds.additionalConfig, news.additionalConfig);
    const settled = await settleClaim(client, inputs, known.uid, isConfigNew);
    if (settled.found === undefined) {
      throw new RefusedError(
        `${describe(objectBucketClaimKind, inputs)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
      );
    }
    refuseTerminating(inputs, settled.found);
    await writeClaim(client, inputs, known, settled.storageClass, olds);
    return { outs: claimOutputs({ ...inputs, storageClass: settled.storageClass, drift: [] }) };
  },

  async read(id, recorded) {
    const props = requireRecorded("ObjectBucketClaim", id, recorded);
    const known = readClaimId(id);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(objectBucketClaimKind, props);
    const lost = found?.metadata.uid !== known.uid;
    // A claim that is lost stays in the state: the next one has another UID, and all goes in its order before it is made.
    const drift =
      found === undefined || lost
        ? [`the claim ${found === undefined ? "is gone" : "of this name is not the one of this stack"}`]
        : driftOf(found, props, known);
    return refreshed(id, claimOutputs({ ...props, drift, lost }), claimInputKeys);
  },

  async delete(id, props) {
    const client = await connectKubernetes(props.kubernetes ?? {});
    await removeClaim(client, readClaimId(id), props);
  },
});

/** What is named after a claim that keeps its name keeps it too. */
function keepNames(olds: Partial<ClaimInputs>, given: ClaimInputs): ClaimInputs {
  const news = keepNamed(olds, given);
  const { name, namespace } = news;
  if (name === given.name || isUnknown(namespace)) return news;
  const named = (value: string): string => (value === given.name ? name : value);
  const isPlain = given.objectBucketName === objectBucketNameOf({ namespace, name: given.name });
  return {
    ...news,
    secretName: named(given.secretName),
    configMapName: named(given.configMapName),
    objectBucketName: objectBucketNameOf({ namespace, name }, isPlain ? "plain" : "hashed"),
  };
}

/** What the state knows stays: the class while its name does, and what the bucket was named by. */
function keepRecorded(olds: Partial<ClaimInputs>, news: ClaimInputs): ClaimInputs {
  const inputs: ClaimInputs = { ...news, kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null };
  const isSameClass = olds.storageClassName !== undefined && olds.storageClassName === news.storageClassName;
  const isSameClaim = sameValue([olds.namespace, olds.name], [news.namespace, news.name]);
  if (isSameClass) {
    // OBC-039, OBC-088: a class that is edited, or made anew under its name, changes no claim that exists.
    // One that was looked up is told by the claim's own outputs.
    inputs.storageClass = isRecord(olds.storageClass) ? olds.storageClass : null;
    inputs.provisioner = olds.provisioner ?? news.provisioner;
  }
  if (isSameClass && isSameClaim) {
    inputs.objectBucketName = olds.objectBucketName ?? news.objectBucketName;
    if (olds.generateBucketName !== undefined) inputs.generateBucketName = olds.generateBucketName;
    if (olds.naming !== undefined) inputs.naming = olds.naming;
  }
  // What may be somebody else's bucket stays that: OBC-064.
  inputs.takesBucket = news.takesBucket || (isSameClaim && olds.takesBucket === true);
  if (!containsUnknown(news.additionalConfig) && sameConfig(olds.additionalConfig, news.additionalConfig)) {
    // OBC-080: the same in another spelling.
    if (olds.name !== undefined) inputs.additionalConfig = olds.additionalConfig ?? null;
  }
  inputs.storageClass = withSecretCopy(inputs.storageClass ?? null);
  return inputs;
}

/** What two claims of a program cannot share: OBC-102. */
function* writtenBy(inputs: ClaimInputs): Generator<Parameters<typeof writersOfRun.problemOf>[0]> {
  const { kubernetes, namespace, name, resource, bucketName, storageClassName } = inputs;
  yield { kubernetes, kind: objectBucketClaimKind, namespace, name, resource };
  yield { kubernetes, kind: objectBucketKind, name: inputs.objectBucketName, resource };
  yield { kubernetes, kind: secretKind, namespace, name: inputs.secretName, resource };
  yield { kubernetes, kind: configMapKind, namespace, name: inputs.configMapName, resource };
  const { storageClass } = inputs;
  const isShared =
    isRecord(storageClass) && isRecord(storageClass.parameters)
      ? brownfieldBucketOf(storageClass.parameters) !== undefined
      : false;
  if (typeof bucketName !== "string" || bucketName === "" || isShared) return;
  const kind = { apiVersion: "", kind: `bucket of StorageClass ${storageClassName}`, plural: "" };
  yield { kubernetes, kind, name: bucketName, resource };
}

function tellWarnings(
  olds: Partial<ClaimInputs>,
  { namespace, name, warnings, ...inputs }: ClaimInputs,
): void {
  const told = Array.isArray(warnings) ? warnings.filter((text) => !isUnknown(text)) : [];
  const { storageClass, bucketName, generateBucketName } = inputs;
  const isIgnored =
    isRecord(storageClass) &&
    isRecord(storageClass.parameters) &&
    !containsUnknown([storageClass.parameters, bucketName, generateBucketName]) &&
    brownfieldBucketOf(storageClass.parameters) !== undefined;
  const given = [bucketName, generateBucketName].filter((value) => typeof value === "string" && value !== "");
  const before = [olds.bucketName, olds.generateBucketName].filter(
    (value) => typeof value === "string" && value !== "",
  );
  const where = containsUnknown([namespace, name]) ? "(name not known yet)" : pathOf({ namespace, name });
  if (!sameValue(olds.warnings ?? [], told)) {
    for (const text of told) warn(objectBucketClaimKind.kind, where, text);
  }
  if (inputs.adopt && olds.name !== undefined && isOtherMetadata(olds, inputs)) {
    warnOfUnwritten({ namespace, name });
  }
  // OBC-023.
  if (isIgnored && given.length > 0 && !sameValue(given, before)) {
    warn(
      objectBucketClaimKind.kind,
      where,
      "bucketName and generateBucketName are ignored, as the StorageClass names the bucket",
    );
  }
}

/** True for labels or annotations that are others than the state has. */
function isOtherMetadata(
  olds: Partial<ClaimInputs>,
  news: Pick<ClaimInputs, "labels" | "annotations">,
): boolean {
  return (["labels", "annotations"] as const).some((key) => !sameValue(olds[key] ?? {}, news[key] ?? {}));
}

/** OBC-077: another name that is asked for, where the bucket is the claim's own. */
function isOtherBucket(id: ClaimId, olds: ClaimOutputs, news: ClaimInputs): boolean {
  if (id.isExisting || containsUnknown([news.bucketName, news.generateBucketName])) return false;
  // A name that is given, or taken back, may be the one that it has.
  const isSaidElse = (olds.bucketName ?? "") !== (news.bucketName ?? "");
  return isSaidElse && newBucketName(news, id.uid) !== id.bucket;
}

/** OBC-080: compared by meaning. */
function isOtherConfig(olds: ClaimOutputs, news: ClaimInputs): boolean {
  return !containsUnknown(news.additionalConfig) && !sameConfig(olds.additionalConfig, news.additionalConfig);
}

/** OBC-076. */
function configRefusal(claim: ClaimInputs, isOfOthers: boolean): string {
  const what = `${describe(objectBucketClaimKind, claim)}: additionalConfig was changed`;
  if (isOfOthers) {
    return `${what}, and nothing is sent for a bucket that was there before its claim, or may have been. Next: take the change back`;
  }
  return (
    `${what}, and COSI has no call that changes a bucket. Give ` +
    'configChange: "resend" sends the create again under the same name, for a driver that is documented to take it; "replace" ' +
    "makes a new bucket in the place of this one"
  );
}

/** OBC-092. */
function refuseTerminating(inputs: ClaimInputs, { metadata }: KubernetesObject): void {
  if (metadata.deletionTimestamp === undefined) return;
  const what = describe(objectBucketClaimKind, inputs);
  throw new RefusedError(
    `${what} is being deleted since ${metadata.deletionTimestamp}, which cannot be undone; its bucket and its keys are as ` +
      "they were. Next: remove it from the program, and `pulumi up` completes the deletion as its class says, or replace it: " +
      "`pulumi up --replace` with the URN of its Claim makes it anew after that (protectData refuses what would delete data)",
  );
}

/** Creates the claim, or goes on with ours of a run that was killed. */
async function makeClaim(
  client: KubernetesClient,
  inputs: ClaimInputs,
  settled: Settled,
): Promise<{ id: ClaimId; storageClass: ClaimClass }> {
  const { storageClass } = settled;
  const found = settled.found ?? (await createClaim(client, inputs, storageClass));
  const id = claimIdFor(inputs, storageClass, found.metadata.uid ?? "");
  const held = heldDeletion(objectBucketClaimKind, found, finalizer);
  if (held !== undefined) throw claimKept({ ...inputs, storageClass }, id, held);
  refuseTerminating(inputs, found);
  await writeClaim(client, inputs, id, storageClass, {});
  return { id, storageClass };
}

async function createClaim(
  client: KubernetesClient,
  inputs: ClaimInputs,
  storageClass: ClaimClass,
): Promise<KubernetesObject> {
  try {
    return await createKept(client, objectBucketClaimKind, newClaim(inputs, storageClass));
  } catch (error) {
    if (error instanceof KubernetesError && error.conflict) {
      await refuseForeign(client, objectBucketClaimKind, inputs, [inputs]);
      const found = await client.get(objectBucketClaimKind, inputs);
      if (found === undefined) throw error;
      return found;
    }
    if (isRefusal(error)) throw error;
    // It may be there: a `destroy` has to look for it, and the next `up` makes it anew.
    throw claimKept(
      { ...inputs, storageClass },
      claimIdFor(inputs, storageClass, ""),
      errorText(error),
      error,
    );
  }
}

/** Brings the claim to what it should be. Whatever fails, it is there, and a `destroy` has to find it. */
async function writeClaim(
  client: KubernetesClient,
  inputs: ClaimInputs,
  id: ClaimId,
  storageClass: ClaimClass,
  olds: Pick<ClaimInputs, "labels" | "annotations">,
): Promise<void> {
  try {
    const bucket = bucketNameFor(id, storageClass);
    await changeObject(client, objectBucketClaimKind, inputs, (object) =>
      object.metadata.uid === id.uid ? claimChange(object, inputs, bucket, olds) : undefined,
    );
    const found = await client.get(objectBucketClaimKind, inputs);
    if (found !== undefined && readClaim(found).phase === undefined) {
      await writePhase(client, objectBucketClaimKind, id, "Pending", inputs.dialect);
    }
  } catch (error) {
    if (error instanceof FailedResourceError) throw error;
    throw claimKept({ ...inputs, storageClass }, id, errorText(error), error);
  }
}

/** Name of the bucket in the backend, which may be another one than its id. */
function bucketNameFor({ isExisting, bucket }: ClaimId, { parameters }: ClaimClass): string {
  return isExisting ? (brownfieldBucketOf(parameters)?.bucketName ?? bucket) : bucket;
}

function driftOf(found: KubernetesObject, props: ClaimOutputs, id: ClaimId): string[] {
  const notes = terminatingNotes(objectBucketClaimKind, found);
  for (const { kind, name, text } of notes) warn(kind, name, text);
  const drift = notes.length === 0 ? [] : ["the claim is being deleted"];
  const storageClass = props.storageClass ?? null;
  if (props.adopt || storageClass === null) return drift;
  return [...drift, ...claimDrift(found, props, bucketNameFor(id, storageClass))];
}
