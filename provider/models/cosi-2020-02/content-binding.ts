import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, isRecord, isUnknown, sameValue } from "../../dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { creatableSecrets } from "../../kubernetes/creatable-secrets";
import type { DeepInput } from "../../kubernetes/deep-input";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { requireOfStack } from "../../kubernetes/foreign-object";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { keepResource } from "../../kubernetes/kept-name";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { describe, namespaceKind, secretKind, type KubernetesObject } from "../../kubernetes/object";
import { ofOurs, refuseForeignSuccessor } from "../../kubernetes/successor";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { untilGone } from "../../kubernetes/until-gone";
import { isUnprotected, noteProtection } from "../../run/given-up";
import { secretsOfRun } from "../../run/one-secret";
import { warn } from "../../run/warning";
import type { ApiProtocol } from "../cosi-proposals/protocols";
import { heldDeletion, terminatingNotes } from "../terminating";
import { howLeftBehind } from "../left-behind";
import { awaitSecretName } from "./app-secret";
import { chooseClass, type ChosenClass } from "./class-choice";
import { isOwn, provisionerLabels, writeContent } from "./content-object";
import {
  classNameOf,
  contentInputKeys,
  contentKept,
  contentOf,
  contentOutputs,
  withSecretCopy,
  type ContentInputs,
  type ContentOutputs,
} from "./content-state";
import { createSentAnnotation, finalizer, kindsOfModel, type Kinds } from "./kinds";
import { contentNameOf, contentNameProblem } from "./names";
import { readBucket, readContent, type ContentRecord } from "./records";
import type { BucketClassCopy } from "./specs";
import { writeStatus } from "./status";

/** Inputs of {@link ContentBinding}. */
export interface ContentBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of the API model. */
  model: string;
  /** The Bucket. */
  bucket: DeepInput<{ namespace: string; name: string; uid: string }>;
  requestProtocol: pulumi.Input<ApiProtocol>;
  bucketPrefix?: pulumi.Input<string> | undefined;
  /** A class of the program. */
  bucketClass?: DeepInput<BucketClassCopy> | undefined;
  /** A class of the cluster. @default none: `bucketClass` */
  bucketClassName?: pulumi.Input<string> | undefined;
  /** A driver makes calls for the Bucket; without one it is static. */
  isManaged: boolean;
  /** Name of that driver. @default none */
  provisioner?: pulumi.Input<string> | undefined;
  /** Name of the Secret in the Bucket's namespace. */
  secretName: pulumi.Input<string>;
  /** Longest wait, in seconds, for that name. @default 120 */
  secretTimeoutSeconds?: pulumi.Input<number> | undefined;
  /** Namespace of the Secret that the user's is copied from, where a driver makes calls. */
  sourceNamespace: pulumi.Input<string>;
  /** What the program says of the bucket. @default true */
  protectData?: pulumi.Input<boolean> | undefined;
}

/**
 * The step between a Bucket and its BucketContent: it protects the Bucket by its finalizer, reads the class and decides the
 * case, writes the BucketContent, and keeps what was taken from the class. It is created before the call to the driver, and
 * thus deleted after it, which is when BucketContent and finalizer have to go.
 *
 * Its id is the name of the BucketContent: an id stays known in the preview of an update, where an output does not.
 */
export class ContentBinding extends DynamicResource {
  /** The copy of the class. */
  declare readonly bucketClass: pulumi.Output<BucketClassCopy>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200227:ContentBinding";

  constructor(name: string, args: ContentBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { bucketClass: undefined };
    const props = { ...outputs, ...args };
    const file = "models/cosi-2020-02/content-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200227", "ContentBinding", file, name, props, first);
  }
}

/** Logic of {@link ContentBinding}, called by Pulumi's host. */
export const provider = hosted<ContentInputs, ContentOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    const { bucketClass, isManaged } = news;
    noteProtection(olds.bucket, news.protectData);
    // A class that is edited, or made anew under its name, changes no bucket that exists: K02-059.
    const before = classNameIn(olds);
    const isSame = before !== undefined && before === classNameIn(news);
    if (isSame && olds.isManaged !== isManaged) {
      const [now, then] = isManaged ? ["not static", "static"] : ["static", "not"];
      failures.add(
        "bucketClass:",
        isRecord(bucketClass)
          ? `the BucketClass ${classNameOf(news)} is ${now} now, and was ${then} when this Bucket was made, which stays as it was ` +
              "made: make a class of another name"
          : `the Bucket is ${now} with${isManaged ? "" : "out"} driver, and was ${then} when it was made, which stays so: ` +
              `${isManaged ? "leave driver out" : "give driver again"}, or name another class`,
      );
    }
    const kept = isSame && isRecord(bucketClass) && isRecord(olds.bucketClass);
    if (isRecord(news.bucket)) {
      const { kubernetes, bucket, secretName, resource } = news;
      const secret = { kubernetes, namespace: bucket.namespace, secretName, resource };
      const problem = secretsOfRun.problemOf(secret);
      if (problem !== undefined) failures.add("secretName:", problem);
    }
    return Promise.resolve(
      failures.result({
        ...keepResource(olds, news),
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        bucket: keepUid(olds.bucket, news.bucket),
        bucketClass: withSecretCopy((kept ? olds.bucketClass : bucketClass) ?? null),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["bucket", "requestProtocol"]);
    if (!isUnknown(news.bucketPrefix) && (olds.bucketPrefix ?? "") !== (news.bucketPrefix ?? ""))
      replaces.push("bucketPrefix");
    const after = classNameIn(news);
    if (after !== undefined && classNameOf(olds) !== after) replaces.push("bucketClass");
    if (olds.isManaged !== news.isManaged) replaces.push("driver");
    refuseLoss(olds, news, replaces);
    const isChanged =
      containsUnknown(news.protectData) ||
      !sameValue(olds.owner, news.owner) ||
      !sameValue(olds.secretName, news.secretName) ||
      !sameValue(olds.protectData ?? true, news.protectData ?? true);
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    return { id: contentOf(inputs), outs: await settle(client, inputs, null) };
  },

  async update(_id, olds, news) {
    const client = await connectKubernetes(news.kubernetes ?? {});
    // What a looked-up class gave is known from the create on, unless that did not come so far.
    const inputs = { ...news, bucketClass: olds.bucketClass ?? news.bucketClass ?? null };
    return { outs: await settle(client, inputs, olds.bucket.uid) };
  },

  async read(id, recorded) {
    const props = requireRecorded("ContentBinding", id, recorded);
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucket, props.bucket);
    // It stays in the state: the next Bucket has another UID, which replaces it and what depends on it in their order.
    const same = found?.metadata.uid === props.bucket.uid;
    const drift = same
      ? await driftOf(client, kinds, props, found)
      : [`the Bucket ${found === undefined ? "is gone" : "of this name is not the one of this stack"}`];
    const outs = contentOutputs({ ...props, drift });
    return refreshed(id, outs, contentInputKeys);
  },

  async delete(_id, props) {
    const kinds = kindsOfModel(props.model);
    const { bucket } = props;
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucket, bucket);
    refuseForeignSuccessor(kinds.bucket, bucket, found, bucket.uid, props);
    await removeContent(client, kinds, props);
    // Whichever has the name: @pulumi/kubernetes deletes that.
    await removeFinalizers(client, kinds.bucket, bucket, ofOurs(bucket.uid, props), [finalizer]);
  },
});

/** The class that the inputs name; `undefined` where it is not known yet. */
function classNameIn({ bucketClass, bucketClassName }: ContentInputs): string | undefined {
  const named: unknown = isRecord(bucketClass) ? bucketClass.name : bucketClassName;
  return typeof named === "string" && named !== "" && !isUnknown(named) ? named : undefined;
}

/**
 * K02-029. A bucket whose resource goes on is protected by it; one that becomes static has no such resource any more, and its
 * bucket would be deleted with the entry that is dropped.
 */
function refuseLoss(olds: ContentOutputs, news: ContentInputs, replaces: readonly string[]): void {
  if (replaces.length === 0 || news.isManaged || !olds.isManaged) return;
  if (
    olds.bucketClass?.releasePolicy !== "Delete" ||
    olds.protectData === false ||
    isUnprotected(olds.bucket)
  )
    return;
  const { namespace, name } = olds.bucket;
  throw new Error(
    `the Bucket ${namespace}/${name} would be replaced by a static one, and the bucket that was made for it would be deleted ` +
      "with its data (releasePolicy Delete). Next: leave this Bucket as it is, and make one of a new name beside it; to give the " +
      "data up, set protectData to false and run pulumi up before this change.",
  );
}

/** @param recorded UID of the Bucket, as the state has it. */
async function settle(
  client: KubernetesClient,
  inputs: ContentInputs,
  recorded: string | null,
): Promise<ContentOutputs> {
  const kinds = kindsOfModel(inputs.model);
  const { bucket } = inputs;
  const found = await requireBucket(client, kinds, inputs, recorded);
  const held = heldDeletion(kinds.bucket, found, finalizer);
  if (held !== undefined) throw contentKept(inputs, held);
  requireNotTerminating(kinds.bucket, bucket, found);
  const wasProtected = readBucket(found).isProtected;
  try {
    await addFinalizers(client, kinds.bucket, bucket, bucket.uid, [finalizer]);
    await writeStatus(client, kinds.bucket, bucket, (object) =>
      readBucket(object).phase === "" ? { phase: "Pending" } : undefined,
    );
    const isSettled = (await ownContent(client, kinds, inputs)) !== undefined;
    const chosen = await chooseClass(client, kinds, inputs, isSettled);
    if (!isSettled) await requirePlaces(client, kinds, inputs, chosen);
    await labelBucket(client, kinds, inputs, chosen.bucketClass);
    await makeContent(client, kinds, inputs, chosen);
    return contentOutputs({ ...inputs, bucketClass: chosen.bucketClass, drift: [] });
  } catch (error) {
    if (error instanceof FailedResourceError) throw error;
    // Nothing was made: a finalizer of this attempt would hold back a `destroy` for nothing.
    if (!wasProtected && isRefusal(error)) {
      try {
        await removeFinalizers(client, kinds.bucket, bucket, bucket.uid, [finalizer]);
      } catch {
        throw contentKept(inputs, errorText(error), error);
      }
      throw error;
    }
    throw contentKept(inputs, errorText(error), error);
  }
}

/** The BucketContent of this Bucket; `undefined` while there is none. */
async function ownContent(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
): Promise<ContentRecord | undefined> {
  const found = await client.get(kinds.bucketContent, { name: contentOf(inputs) });
  const content = found === undefined ? undefined : readContent(found);
  return content !== undefined && isOwn(inputs.bucket, content) ? content : undefined;
}

async function requireBucket(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
  recorded: string | null,
): Promise<KubernetesObject> {
  const { bucket } = inputs;
  const found = await client.get(kinds.bucket, bucket);
  if (found === undefined) throw new RefusedError(`${describe(kinds.bucket, bucket)} does not exist`);
  requireUid(kinds.bucket, bucket, found, bucket.uid);
  requireOfStack(kinds.bucket, found, [inputs], recorded);
  return found;
}

/** What has to be there, or free, before anything is made. */
async function requirePlaces(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
  { bucketClass, bucketCase }: ChosenClass,
): Promise<void> {
  const { bucket, sourceNamespace, secretName, secretTimeoutSeconds } = inputs;
  const who = describe(kinds.bucket, bucket);
  const problem = contentNameProblem(contentNameOf(bucketClass.name, bucket));
  if (problem !== undefined) throw new RefusedError(`${who}: ${problem}`);
  const { secretRef } = bucketClass;
  if (bucketCase === "static" && secretRef !== null) {
    if ((await client.get(secretKind, secretRef)) === undefined) {
      throw new RefusedError(
        `${describe(secretKind, secretRef)}, which the BucketClass ${bucketClass.name} of ${who} names in secretRef, does not ` +
          "exist: make it first, or correct the class",
      );
    }
  } else if ((await client.get(namespaceKind, { name: sourceNamespace })) === undefined) {
    throw new RefusedError(
      `the namespace ${sourceNamespace}, in which the Secret of ${who} is kept, does not exist: make it first, or name another ` +
        "one as sourceSecretNamespace",
    );
  } else await creatableSecrets.require(client, { namespace: sourceNamespace, name: contentOf(inputs) });
  await awaitSecretName(
    client,
    { namespace: bucket.namespace, name: secretName },
    bucket,
    secretTimeoutSeconds,
  );
}

async function labelBucket(
  client: KubernetesClient,
  kinds: Kinds,
  { bucket }: ContentInputs,
  { provisioner }: BucketClassCopy,
): Promise<void> {
  const labels = provisionerLabels(provisioner);
  await changeMetadata(client, kinds.bucket, bucket, ({ metadata }) => {
    const isLabelled = Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
    return metadata.uid !== bucket.uid || isLabelled ? undefined : { labels };
  });
}

async function makeContent(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: ContentInputs,
  chosen: ChosenClass,
): Promise<void> {
  await writeContent(client, kinds, inputs, chosen);
  try {
    const name = contentNameOf(chosen.bucketClass.name, inputs.bucket);
    await addFinalizers(client, kinds.bucketContent, { name }, undefined, [finalizer]);
    if (chosen.bucketCase !== "static") return;
    await writeStatus(client, kinds.bucketContent, { name }, (object) =>
      readContent(object).phase === "Bound"
        ? undefined
        : { phase: "Ready", message: "the Secret of the class is there" },
    );
  } catch (error) {
    // The BucketContent is there, whatever this refusal says: a `destroy` has to find it.
    throw contentKept({ ...inputs, bucketClass: chosen.bucketClass }, errorText(error), error);
  }
}

/** What becomes of the BucketContent when its Bucket goes. The backend is dealt with by now. */
async function removeContent(client: KubernetesClient, kinds: Kinds, props: ContentOutputs): Promise<void> {
  const name = contentOf(props);
  const object = await client.get(kinds.bucketContent, { name });
  if (object === undefined) return;
  const content = readContent(object);
  if (!isOwn(props.bucket, content)) return;
  if (content.createSent) {
    throw new RefusedError(
      `${describe(kinds.bucketContent, { name })} may have a bucket or an account in the backend, which no resource of the state ` +
        `has any more: ${howLeftBehind}; nothing was deleted. Next: run \`pulumi up\` first, which takes it into the state. If ` +
        `nothing is left there, or it is to stay without its object: kubectl annotate bucketcontents.${kinds.group} ${name} ${createSentAnnotation}-`,
    );
  }
  const { uid } = object.metadata;
  await writeStatus(client, kinds.bucketContent, { name, uid }, { phase: "Released" });
  await removeFinalizers(client, kinds.bucketContent, { name }, uid, [finalizer]);
  if (uid !== undefined) await client.delete(kinds.bucketContent, { name }, { uid });
  await untilGone(client, kinds.bucketContent, { name }, uid, [finalizer]);
}

async function driftOf(
  client: KubernetesClient,
  kinds: Kinds,
  props: ContentOutputs,
  bucket: KubernetesObject,
): Promise<string[]> {
  const drift: string[] = [];
  for (const { kind, name, text } of terminatingNotes(kinds.bucket, bucket)) warn(kind, name, text);
  if (!readBucket(bucket).isProtected) drift.push(`Bucket's finalizer ${finalizer} is missing`);
  drift.push(...labelDrift("Bucket", bucket, props));
  const name = contentOf(props);
  const found = await client.get(kinds.bucketContent, { name });
  if (found === undefined) return [...drift, `${describe(kinds.bucketContent, { name })} is gone`];
  const content = readContent(found);
  for (const { kind, name: of, text } of terminatingNotes(kinds.bucketContent, found)) warn(kind, of, text);
  if (!isOwn(props.bucket, content)) drift.push(`BucketContent ${name} is another Bucket's`);
  if (!content.isProtected) drift.push(`BucketContent's finalizer ${finalizer} is missing`);
  return [...drift, ...labelDrift("BucketContent", found, props)];
}

function labelDrift(kind: string, { metadata }: KubernetesObject, { bucketClass }: ContentOutputs): string[] {
  return Object.entries(provisionerLabels(bucketClass?.provisioner ?? null)).flatMap(([key, value]) =>
    metadata.labels?.[key] === value
      ? []
      : [`${kind}'s label ${key} is ${metadata.labels?.[key] ?? "missing"}`],
  );
}
