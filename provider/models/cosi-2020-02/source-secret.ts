import * as pulumi from "@pulumi/pulumi";
import { rememberAccountData } from "../../bucket/account-state";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, sameValue, secretOutput } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { driftOf as secretDrift } from "../../kubernetes/data-object-form";
import type { DataObjectInputs } from "../../kubernetes/data-object-state";
import { createOrUpdate, removeDataObject, requireSuccessor } from "../../kubernetes/data-object-write";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject } from "../../kubernetes/metadata";
import { namespaceProblem } from "../../kubernetes/names";
import { describe, pathOf, secretKind, type KubernetesObject } from "../../kubernetes/object";
import { secretForm } from "../../kubernetes/secret-object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { refuseOthersMark } from "../../kubernetes/successor";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { warn } from "../../run/warning";
import { isOwn, provisionerLabels, requireLiving, requireOwn } from "./content-object";
import { kindsOfModel, type Kinds } from "./kinds";
import type { BucketName } from "./names";
import { readContent, type ContentRecord } from "./records";
import { writeStatus } from "./status";

/** Inputs of {@link SourceSecret}. */
export interface SourceSecretArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** Name of the API model. */
  model: string;
  /** Name of the BucketContent, and of the Secret. */
  content: pulumi.Input<string>;
  /** The Bucket. */
  bucket: DeepInput<{ namespace: string; name: string; uid: string }>;
  /** Namespace of the Secret. */
  namespace: pulumi.Input<string>;
  /** Keys and values as plain text; secret in the state. */
  data: pulumi.Input<Record<string, string>>;
  /** For the label. */
  provisioner: pulumi.Input<string>;
}

interface SourceInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  model: string;
  content: string;
  bucket: BucketName;
  namespace: string;
  data: Record<string, string>;
  provisioner: string;
}

interface SourceOutputs extends SourceInputs {
  /** What a refresh found to be other than written. */
  drift?: string[] | null;
}

/**
 * The Secret with the credentials of a bucket, which belongs to its BucketContent, in a namespace that users do not read.
 * Once it is there, the BucketContent names it and is `Ready`. It goes before the call that ends the account.
 * Source: COSI proposal of 2020-02-27, Create Bucket (Greenfield), steps 7 and 8.
 */
export class SourceSecret extends DynamicResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200227:SourceSecret";

  constructor(name: string, args: SourceSecretArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { ...args, data: pulumi.secret(args.data) };
    const file = "models/cosi-2020-02/source-secret";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true, additionalSecretOutputs: ["data"] }, opts);
    super("cosi/cosi20200227", "SourceSecret", file, name, props, first);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "model",
  "content",
  "bucket",
  "namespace",
  "data",
  "provisioner",
] as const satisfies readonly (keyof SourceInputs)[];

/** Logic of {@link SourceSecret}, called by Pulumi's host. */
export const provider = hosted<SourceInputs, SourceOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("namespace", news.namespace, namespaceProblem);
    return Promise.resolve(
      failures.result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        bucket: keepUid(olds.bucket, news.bucket),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["content", "bucket", "namespace"]);
    // By the owner that is recorded a later run tells what is ours.
    const isOther = !sameValue(olds.owner, news.owner) || !sameValue(olds.data, news.data);
    return Promise.resolve(planOf(olds, news, replaces, containsUnknown(news.data) || isOther));
  },

  async create(inputs) {
    return { id: pathOf(referenceOf(inputs)), outs: await write(inputs) };
  },

  async update(_id, _olds, news) {
    return { outs: await write(news) };
  },

  async read(id, recorded) {
    const props = requireRecorded("SourceSecret", id, recorded);
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(secretKind, referenceOf(props));
    if (found === undefined) return {};
    if (!isOfContent(kinds, props, found)) {
      warn("Secret", id, "is no longer that of this stack; it stays as it is, and the next up stops");
      return {};
    }
    const outs = outputsOf({ ...props, drift: await driftOf(client, kinds, props, found) });
    return refreshed(id, outs, inputKeys);
  },

  async delete(_id, props) {
    rememberAccountData(props.data);
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const reference = referenceOf(props);
    const found = await client.get(secretKind, reference);
    if (found === undefined) return;
    if (!isOfContent(kinds, props, found)) {
      warn("Secret", pathOf(reference), "is not that of this stack, so it stays");
      return;
    }
    const { bucket } = props;
    refuseOthersMark(kinds.bucket, bucket, await client.get(kinds.bucket, bucket), bucket.uid, props);
    await removeDataObject(client, secretForm, secretOf(kinds, props, ""), found);
  },
});

async function write(inputs: SourceInputs): Promise<SourceOutputs> {
  rememberAccountData(inputs.data);
  const kinds = kindsOfModel(inputs.model);
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  let isWritten = false;
  try {
    const content = await requireContent(client, kinds, inputs);
    await refuseForeign(client, kinds, inputs);
    await createOrUpdate(client, secretForm, secretOf(kinds, inputs, content.uid));
    isWritten = true;
    await makeReady(client, kinds, inputs);
  } catch (error) {
    if (!isWritten && isRefusal(error)) throw error;
    // It may have been made: kept in the state, so that the next command finds it.
    const outputs = outputsOf({ ...inputs, drift: ["not written completely"] });
    const id = pathOf(referenceOf(inputs));
    throw new FailedResourceError(errorText(error), id, { ...inputs, ...outputs }, { cause: error });
  }
  return outputsOf({ ...inputs, drift: [] });
}

/** @throws RefusedError where there is none for the credentials, or where they may be dead. */
async function requireContent(
  client: KubernetesClient,
  kinds: Kinds,
  { content: name, bucket }: SourceInputs,
): Promise<ContentRecord> {
  const found = await client.get(kinds.bucketContent, { name });
  const what = describe(kinds.bucketContent, { name });
  if (found === undefined) {
    throw new RefusedError(`${what} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`);
  }
  return requireLiving(kinds, bucket, found);
}

/** K02-069. One that is bound stays so. */
async function makeReady(client: KubernetesClient, kinds: Kinds, inputs: SourceInputs): Promise<void> {
  const { content: name, bucket } = inputs;
  const secretRef = referenceOf(inputs);
  await changeObject(client, kinds.bucketContent, { name }, (object) => {
    const { secretRef: now } = requireOwn(kinds, bucket, object);
    const same = now?.name === secretRef.name && now.namespace === secretRef.namespace;
    return same ? undefined : { spec: { secretRef } };
  });
  await writeStatus(client, kinds.bucketContent, { name }, (object) => {
    const { phase, isDeleting } = readContent(object);
    if (phase === "Bound" && !isDeleting) return undefined;
    return { phase: "Ready", message: "the credentials are there", isDeleting: false };
  });
}

/** One of the name that a BucketContent of another UID had is ours too: it was lost, and made again. */
async function refuseForeign(client: KubernetesClient, kinds: Kinds, inputs: SourceInputs): Promise<void> {
  const reference = referenceOf(inputs);
  const found = await client.get(secretKind, reference);
  if (found === undefined) return;
  if (!isOfContent(kinds, inputs, found)) {
    throw new RefusedError(
      `${describe(secretKind, reference)} exists and does not belong to ${describe(kinds.bucketContent, { name: inputs.content })}; ` +
        "it stays as it is: delete it first if nobody needs it",
    );
  }
  const content = await client.get(kinds.bucketContent, { name: inputs.content });
  const { uid } = content?.metadata ?? {};
  const isCurrent = found.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
  if (isCurrent) return;
  await requireSuccessor(client, secretForm, secretOf(kinds, inputs, uid ?? ""));
  await removeDataObject(client, secretForm, secretOf(kinds, inputs, ""), found);
}

function isOfContent(kinds: Kinds, { content }: SourceInputs, { metadata }: KubernetesObject): boolean {
  const { apiVersion, kind } = kinds.bucketContent;
  return (metadata.ownerReferences ?? []).some(
    (owner) => owner.apiVersion === apiVersion && owner.kind === kind && owner.name === content,
  );
}

function referenceOf({ namespace, content }: SourceInputs): { namespace: string; name: string } {
  return { namespace, name: content };
}

function secretOf(kinds: Kinds, inputs: SourceInputs, uid: string): DataObjectInputs {
  const { apiVersion, kind } = kinds.bucketContent;
  return {
    kubernetes: inputs.kubernetes,
    ...referenceOf(inputs),
    owner: { apiVersion, kind, name: inputs.content, uid },
    data: inputs.data,
    labels: provisionerLabels(inputs.provisioner),
  };
}

async function driftOf(
  client: KubernetesClient,
  kinds: Kinds,
  props: SourceOutputs,
  secret: KubernetesObject,
): Promise<string[]> {
  const found = await client.get(kinds.bucketContent, { name: props.content });
  const content = found === undefined ? undefined : readContent(found);
  const drift = secretDrift(secretForm, secret, secretOf(kinds, props, content?.uid ?? ""));
  if (content === undefined || !isOwn(props.bucket, content)) return drift;
  if (content.secretRef?.name !== props.content || content.secretRef.namespace !== props.namespace) {
    drift.push("BucketContent's secretRef does not name the Secret");
  }
  if (!["Ready", "Bound"].includes(content.phase)) {
    drift.push(`BucketContent's phase is ${JSON.stringify(content.phase)}`);
  }
  return drift;
}

function outputsOf(outputs: SourceOutputs): SourceOutputs {
  const { owner, model, content, bucket, namespace, data, provisioner } = outputs;
  const all = {
    owner,
    model,
    content,
    bucket,
    namespace,
    provisioner,
    data: secretOutput(data),
    kubernetes: targetOutput(outputs.kubernetes),
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
