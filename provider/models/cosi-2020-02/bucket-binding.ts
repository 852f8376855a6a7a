import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { isUnknown, sameValue } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject, requireUid } from "../../kubernetes/metadata";
import { objectNameProblem } from "../../kubernetes/names";
import { describe, pathOf } from "../../kubernetes/object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { refuseOthersMark } from "../../kubernetes/successor";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { warn } from "../../run/warning";
import { copyDrift, copySecret, removeCopyOf, type SecretCopy } from "./app-secret-copy";
import { isOwn, requireLiving, requireOwn } from "./content-object";
import { kindsOfModel, type Kinds } from "./kinds";
import type { BucketName } from "./names";
import { readBucket, readContent } from "./records";
import type { SecretReference } from "./specs";
import { writeStatus } from "./status";

/** Inputs of {@link BucketBinding}. */
export interface BucketBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** Name of the API model. */
  model: string;
  /** Name of the BucketContent. */
  content: pulumi.Input<string>;
  /** The Bucket. */
  bucket: DeepInput<{ namespace: string; name: string; uid: string }>;
  /** Name of the Secret in the Bucket's namespace. */
  secretName: pulumi.Input<string>;
  /** Longest wait, in seconds, for that name. @default 120 */
  secretTimeoutSeconds?: pulumi.Input<number> | undefined;
  /** The Secret that is copied. */
  source: DeepInput<{ namespace: string; name: string }>;
  /** Changes with the credentials in it. @default none: a refresh tells */
  revision?: pulumi.Input<string | null | undefined> | undefined;
  /** For the label. @default none */
  provisioner?: pulumi.Input<string | null> | undefined;
}

interface BindingInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  model: string;
  content: string;
  bucket: BucketName;
  secretName: string;
  secretTimeoutSeconds?: number | null;
  source: SecretReference;
  revision?: string | null;
  provisioner?: string | null;
}

interface BindingOutputs extends BindingInputs {
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
  /** Names that the Secret had, and that were not seen to go. */
  earlierSecretNames?: string[] | null;
}

/**
 * The last step of a Bucket: the user's Secret, a copy of the one of the BucketContent or of the admin's; then the names that
 * Bucket and BucketContent have of each other, and the phases `Bound`. No credential is in its state. When it goes, it says
 * that the Bucket goes, before anything of it does.
 * Source: COSI proposal of 2020-02-27, Create Bucket (Greenfield), steps 10 and 11; Static Buckets, steps 7 and 8.
 */
export class BucketBinding extends DynamicResource {
  /** Name of the user's Secret, once it is there. */
  declare readonly secretName: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200227:BucketBinding";

  constructor(name: string, args: BucketBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { ...args };
    const file = "models/cosi-2020-02/bucket-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200227", "BucketBinding", file, name, props, first);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "model",
  "content",
  "bucket",
  "secretName",
  "secretTimeoutSeconds",
  "source",
  "revision",
  "provisioner",
] as const satisfies readonly (keyof BindingInputs)[];

/** Logic of {@link BucketBinding}, called by Pulumi's host. */
export const provider = hosted<BindingInputs, BindingOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("secretName", news.secretName, objectNameProblem);
    return Promise.resolve(
      failures.result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        bucket: keepUid(olds.bucket, news.bucket),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["content", "bucket"]);
    // By the owner that is recorded a later run tells what is ours.
    const told = ["owner", "secretName", "source", "revision"] as const;
    const isChanged = told.some((key) => isUnknown(news[key]) || !sameValue(olds[key], news[key]));
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    return { id: pathOf(inputs.bucket), outs: await write(inputs) };
  },

  async update(_id, olds, news) {
    const names = [...(olds.earlierSecretNames ?? []), olds.secretName];
    const earlier = [...new Set(names)].filter((name) => name !== news.secretName);
    const outs = await write(news, earlier);
    await leaveOldSecrets(news, earlier);
    return { outs };
  },

  async read(id, recorded) {
    const props = requireRecorded("BucketBinding", id, recorded);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const drift = await driftOf(client, kindsOfModel(props.model), props);
    const outs = outputsOf({ ...props, drift });
    return refreshed(id, outs, inputKeys);
  },

  async delete(_id, props) {
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const { bucket } = props;
    // The first of the Bucket that goes: what another stack has by now is told nothing, and nothing of it goes.
    refuseOthersMark(kinds.bucket, bucket, await client.get(kinds.bucket, bucket), bucket.uid, props);
    await writeStatus(client, kinds.bucket, bucket, { isDeleting: true });
    await writeStatus(client, kinds.bucketContent, { name: props.content }, (object) =>
      isOwn(props.bucket, readContent(object)) ? { isDeleting: true } : undefined,
    );
    for (const secretName of [props.secretName, ...(props.earlierSecretNames ?? [])]) {
      await removeOrTell(client, { ...props, secretName });
    }
  },
});

/** What of the inputs is about the copy. */
function copyOf(inputs: BindingInputs): SecretCopy {
  const { source, bucket, secretName, secretTimeoutSeconds = null, provisioner = null } = inputs;
  const copy = { namespace: bucket.namespace, name: secretName };
  return { source, copy, bucket, provisioner, timeoutSeconds: secretTimeoutSeconds };
}

/** @param earlierSecretNames Names that the Secret had; kept if something goes wrong. */
async function write(inputs: BindingInputs, earlierSecretNames: string[] = []): Promise<BindingOutputs> {
  const kinds = kindsOfModel(inputs.model);
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  let isCopied = false;
  try {
    const found = await client.get(kinds.bucketContent, { name: inputs.content });
    if (found !== undefined) requireLiving(kinds, inputs.bucket, found);
    await copySecret(client, kinds, copyOf(inputs));
    isCopied = true;
    await bind(client, kinds, inputs);
  } catch (error) {
    if (!isCopied && isRefusal(error) && earlierSecretNames.length === 0) throw error;
    // The Secret may be there: kept in the state, so that the next command finds it.
    throw keptAsFailed({ ...inputs, drift: ["not bound completely"], earlierSecretNames }, error);
  }
  return outputsOf({ ...inputs, drift: [] });
}

/** K02-071. */
async function bind(client: KubernetesClient, kinds: Kinds, inputs: BindingInputs): Promise<void> {
  const { bucket, content: name } = inputs;
  const found = await client.get(kinds.bucket, bucket);
  if (found === undefined) throw new RefusedError(`${describe(kinds.bucket, bucket)} does not exist`);
  requireUid(kinds.bucket, bucket, found, bucket.uid);
  await writeStatus(client, kinds.bucket, bucket, { bucketContentName: name });
  const bound = await changeObject(client, kinds.bucketContent, { name }, (object) => {
    const { bucketRef } = requireOwn(kinds, bucket, object);
    // The one that was read at the binding stays: each later write has another one.
    if (bucketRef["uuid"] === bucket.uid && bucketRef["resourceVersion"] !== undefined) return undefined;
    const { resourceVersion = "" } = found.metadata;
    const { namespace, name: bucketName, uid } = bucket;
    return { spec: { bucketRef: { name: bucketName, namespace, uuid: uid, resourceVersion } } };
  });
  if (bound === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucketContent, { name })} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }
  await writeStatus(
    client,
    kinds.bucketContent,
    { name },
    {
      phase: "Bound",
      message: `bound to ${describe(kinds.bucket, bucket)}`,
      isDeleting: false,
    },
  );
  await writeStatus(client, kinds.bucket, bucket, { phase: "Bound", isDeleting: false });
}

/** K02-029: the new Secret is there before the old one goes. */
async function leaveOldSecrets(news: BindingInputs, earlierSecretNames: string[]): Promise<void> {
  const client = await connectKubernetes(news.kubernetes ?? {});
  for (const secretName of earlierSecretNames) {
    try {
      await removeOrTell(client, { ...news, secretName });
    } catch (error) {
      throw keptAsFailed({ ...news, drift: ["has its old Secret still"], earlierSecretNames }, error);
    }
  }
}

async function removeOrTell(client: KubernetesClient, props: BindingInputs): Promise<void> {
  const { copy, bucket } = copyOf(props);
  if (await removeCopyOf(client, copy, bucket)) return;
  warn("Secret", pathOf(copy), "is not that of this stack, so it stays");
}

function keptAsFailed(outputs: BindingOutputs, error: unknown): FailedResourceError {
  const properties = { ...outputs, ...outputsOf(outputs) };
  return new FailedResourceError(errorText(error), pathOf(outputs.bucket), properties, { cause: error });
}

async function driftOf(client: KubernetesClient, kinds: Kinds, props: BindingOutputs): Promise<string[]> {
  const { bucket, content: name } = props;
  const drift = await copyDrift(client, kinds, copyOf(props));
  for (const difference of drift) warn("Bucket", pathOf(bucket), difference);
  const object = await client.get(kinds.bucket, bucket);
  if (object?.metadata.uid === bucket.uid) {
    const { phase, bucketContentName, isDeleting } = readBucket(object);
    if (phase !== "Bound") drift.push(`Bucket's phase is ${JSON.stringify(phase)}`);
    if (bucketContentName !== name)
      drift.push(`Bucket's bucketContentName is ${JSON.stringify(bucketContentName)}`);
    if (isDeleting) drift.push("Bucket's condition Deleting is True");
  }
  const found = await client.get(kinds.bucketContent, { name });
  if (found === undefined) return [...drift, "BucketContent is gone"];
  const content = readContent(found);
  if (content.phase !== "Bound") drift.push(`BucketContent's phase is ${JSON.stringify(content.phase)}`);
  if (content.bucketRef["uuid"] !== bucket.uid)
    drift.push("BucketContent's bucketRef does not name the Bucket");
  return drift;
}

function outputsOf(outputs: BindingOutputs): BindingOutputs {
  const { owner, model, content, bucket, secretName, source } = outputs;
  const all = {
    owner,
    model,
    content,
    bucket,
    secretName,
    source,
    secretTimeoutSeconds: outputs.secretTimeoutSeconds ?? null,
    revision: outputs.revision ?? null,
    provisioner: outputs.provisioner ?? null,
    kubernetes: targetOutput(outputs.kubernetes),
    drift: outputs.drift ?? [],
    earlierSecretNames: outputs.earlierSecretNames ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
