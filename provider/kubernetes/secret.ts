import * as pulumi from "@pulumi/pulumi";
import { secretMask } from "../driver/secret-mask";
import { CheckFailures } from "../dynamic/check-failures";
import { FailedResourceError } from "../dynamic/failed";
import { hosted } from "../dynamic/hosted";
import { DynamicResource } from "../dynamic/resource";
import { select } from "../dynamic/select";
import { containsUnknown, isRecord, sameValue, secretOutput } from "../dynamic/values";
import { observeSecret } from "../models/registry";
import type { SecretObserver } from "../models/model";
import { warn } from "../warning";
import { connectKubernetes, type KubernetesClient } from "./client";
import type { DeepInput } from "./deep-input";
import { removeFinalizers } from "./finalizers";
import { identityChanges, keepUid } from "./identity";
import { KubernetesError, RefusedError } from "./kubernetes-error";
import { namespaceProblem, objectNameProblem } from "./names";
import { pathOf, secretKind, type KubernetesObject, type OwnerReference } from "./object";
import { isOwnedByUid, requireOwnedByUid } from "./ownership";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "./target";
import { targetOutput } from "./target-output";
import { untilGone } from "./until-gone";

/** The object that a Secret belongs to. */
export interface SecretOwner {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

/** Inputs of {@link Secret}. */
export interface SecretArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  namespace: pulumi.Input<string>;
  name: pulumi.Input<string>;
  /** Becomes the Secret's ownerReference, by which its owner is told from others of the same name. */
  owner: DeepInput<SecretOwner>;
  /** Keys and values as plain text; secret in the state. */
  data: pulumi.Input<Record<string, string>>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Finalizer that keeps the Secret until this resource is deleted. @default none */
  finalizer?: string | undefined;
  /** API model whose objects say that the Secret is there. @default none */
  model?: string | undefined;
}

interface SecretInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  namespace: string;
  name: string;
  owner: SecretOwner;
  data: Record<string, string>;
  labels?: Record<string, string> | null;
  finalizer?: string | null;
  model?: string | null;
}

interface SecretOutputs extends SecretInputs {
  uid: string | null;
  /** What a refresh found to be other than written. */
  drift?: string[] | null;
}

/**
 * A Secret that this package writes by itself. Other than one of @pulumi/kubernetes it never takes a Secret over,
 * keeps its UID when its data changes, and has no copy of the data in an annotation.
 */
export class Secret extends DynamicResource {
  declare readonly namespace: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly uid: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/kubernetes:Secret";

  constructor(name: string, args: SecretArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      ...args,
      data: pulumi.secret(args.data),
      uid: undefined,
      drift: undefined,
      schemaVersion: undefined,
    };
    super(
      "cosi/kubernetes",
      "Secret",
      "kubernetes/secret",
      name,
      props,
      pulumi.mergeOptions(opts, { deleteBeforeReplace: true, additionalSecretOutputs: ["data"] }),
    );
  }
}

/** Logic of {@link Secret}, called by Pulumi's host. */
export const provider = hosted<SecretInputs, SecretOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const failures = new CheckFailures();
    failures.judge("namespace", news.namespace, namespaceProblem);
    failures.judge("name", news.name, objectNameProblem);
    failures.judge("data", news.data, (data) => {
      const wrong = Object.keys(data).find((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key));
      return wrong === undefined
        ? undefined
        : `has the key ${JSON.stringify(wrong)}: keys of a Secret have letters, digits, "-", "_" and "."`;
    });
    return Promise.resolve(
      failures.result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        owner: keepUid(olds.owner, news.owner),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["namespace", "name", "owner"]);
    const changes =
      replaces.length > 0 ||
      (olds.drift ?? []).length > 0 ||
      (["data", "labels", "finalizer", "model"] as const).some(
        (key) => containsUnknown(news[key]) || !sameValue(olds[key], news[key]),
      ) ||
      !sameValue(olds.kubernetes ?? {}, news.kubernetes ?? {});
    return Promise.resolve({ changes, replaces, deleteBeforeReplace: true });
  },

  async create(inputs) {
    const outs = await write(inputs);
    return { id: pathOf(inputs), outs };
  },

  async update(_id, olds, news) {
    return { outs: await write(news, olds.labels) };
  },

  async read(id, props) {
    if (props === undefined) throw new Error(`the Secret ${id} is read from the state only`);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(secretKind, props);
    if (found === undefined) return {};
    if (!isOwnedByUid(found, props.owner.uid)) {
      warn(
        "Secret",
        pathOf(props),
        `is no longer that of this stack; it stays as it is, and the next up stops`,
      );
      return {};
    }
    if (found.metadata.deletionTimestamp !== undefined) {
      warn("Secret", pathOf(props), "is being deleted; `pulumi up` writes it again with the same content");
    }
    const drift = driftOf(found, props);
    drift.push(...((await observerOf(props)?.read()) ?? []));
    const live = { ...props, data: decoded(found), uid: found.metadata.uid ?? null, drift };
    return { id, props: outputsOf(live), inputs: inputsOf(live) };
  },

  async delete(_id, props) {
    for (const value of Object.values(props.data)) secretMask.remember(value);
    const client = await connectKubernetes(props.kubernetes ?? {});
    await observerOf(props)?.removing();
    const found = await client.get(secretKind, props);
    if (found === undefined) return;
    if (!isOwnedByUid(found, props.owner.uid)) {
      warn("Secret", pathOf(props), "is not that of this stack, so it stays");
      return;
    }
    await remove(client, props, found);
  },
});

/** Creates the Secret, or brings the one that is there to what the inputs say, keeping its UID. */
async function write(inputs: SecretInputs, oldLabels?: SecretInputs["labels"]): Promise<SecretOutputs> {
  for (const value of Object.values(inputs.data)) secretMask.remember(value);
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  let written: KubernetesObject | undefined;
  try {
    written = await createOrUpdate(client, inputs, oldLabels ?? {});
    await observerOf(inputs)?.written();
  } catch (error) {
    const refused = error instanceof RefusedError || (error instanceof KubernetesError && error.refused);
    if (written === undefined && refused) throw error;
    // It may have been made: kept in the state, so that the next command finds it.
    const message = error instanceof Error ? error.message : String(error);
    const outs = outputsOf({
      ...inputs,
      uid: written?.metadata.uid ?? null,
      drift: ["not written completely"],
    });
    throw new FailedResourceError(message, pathOf(inputs), { ...inputs, ...outs }, { cause: error });
  }
  return outputsOf({ ...inputs, uid: written.metadata.uid ?? null, drift: [] });
}

async function createOrUpdate(
  client: KubernetesClient,
  inputs: SecretInputs,
  oldLabels: Record<string, string>,
): Promise<KubernetesObject> {
  let found = await client.get(secretKind, inputs);
  if (found === undefined) {
    try {
      return await client.create(secretKind, objectOf(inputs));
    } catch (error) {
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      found = await client.get(secretKind, inputs);
      if (found === undefined) throw error;
    }
  }
  requireOwnedByUid(secretKind, found, inputs.owner);
  if (found.metadata.deletionTimestamp !== undefined) {
    await remove(client, inputs, found);
    return client.create(secretKind, objectOf(inputs));
  }
  const { metadata, data } = objectOf(inputs);
  const otherOwners = (found.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== inputs.owner.uid);
  const otherFinalizers = (found.metadata.finalizers ?? []).filter((entry) => entry !== inputs.finalizer);
  return client.patch(secretKind, inputs, {
    metadata: {
      uid: found.metadata.uid,
      labels: { ...withNulls(oldLabels), ...metadata.labels },
      ownerReferences: [...otherOwners, ...(metadata.ownerReferences ?? [])],
      finalizers: [...otherFinalizers, ...(metadata.finalizers ?? [])],
    },
    data: { ...withNulls(found["data"]), ...data },
  });
}

/** Deletes our Secret: its finalizer off, then the object. */
async function remove(
  client: KubernetesClient,
  inputs: SecretInputs,
  found: KubernetesObject,
): Promise<void> {
  const { uid } = found.metadata;
  if (typeof inputs.finalizer === "string") {
    await removeFinalizers(client, secretKind, inputs, uid, [inputs.finalizer]);
  }
  if (uid !== undefined) await client.delete(secretKind, inputs, { uid });
  await untilGone(client, secretKind, inputs, uid);
}

interface SecretObject extends KubernetesObject {
  data: Record<string, string>;
}

function objectOf(inputs: SecretInputs): SecretObject {
  const { namespace, name, owner, data, labels } = inputs;
  const reference: OwnerReference = { ...owner, controller: true };
  return {
    type: "Opaque",
    metadata: {
      namespace,
      name,
      ...(isRecord(labels) ? { labels } : {}),
      ownerReferences: [reference],
      ...(typeof inputs.finalizer === "string" ? { finalizers: [inputs.finalizer] } : {}),
    },
    data: mapValues(data, (value) => Buffer.from(value).toString("base64")),
  };
}

function driftOf(found: KubernetesObject, inputs: SecretInputs): string[] {
  const { finalizers = [], ownerReferences = [], deletionTimestamp, labels = {} } = found.metadata;
  const drift: string[] = [];
  if (deletionTimestamp !== undefined) drift.push("is being deleted");
  if (typeof inputs.finalizer === "string" && !finalizers.includes(inputs.finalizer)) {
    drift.push(`finalizer ${inputs.finalizer} is missing`);
  }
  if (!ownerReferences.some(({ uid, controller }) => uid === inputs.owner.uid && controller === true)) {
    drift.push("ownerReference is not the controller's");
  }
  for (const [key, value] of Object.entries(inputs.labels ?? {})) {
    if (labels[key] !== value) drift.push(`label ${key} is ${labels[key] ?? "missing"}`);
  }
  return [...drift, ...dataDrift(inputs.data, decoded(found))];
}

/** Tells keys and no values; Pulumi shows the data itself as `[secret]`, whether it changed or not. */
function dataDrift(written: SecretInputs["data"], live: SecretInputs["data"]): string[] {
  const keys = [...new Set([...Object.keys(written), ...Object.keys(live)])];
  return keys
    .filter((key) => written[key] !== live[key])
    .map((key) => {
      if (live[key] === undefined) return `data key ${key} is missing`;
      return `data key ${key} was ${written[key] === undefined ? "added" : "changed"}`;
    });
}

function observerOf(inputs: SecretInputs): SecretObserver | undefined {
  const { model, kubernetes, namespace, owner } = inputs;
  if (typeof model !== "string") return undefined;
  return observeSecret({ model, kubernetes: kubernetes ?? {}, owner: { namespace, ...owner } });
}

function decoded({ data }: KubernetesObject): Record<string, string> {
  return mapValues(isRecord(data) ? data : {}, (value) => Buffer.from(String(value), "base64").toString());
}

/** The keys of a map, each to be removed by a merge patch. */
function withNulls(map: unknown): Record<string, null> {
  return mapValues(isRecord(map) ? map : {}, () => null);
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** What a program gave, of what is kept. Pulumi types inputs and outputs alike here. */
function inputsOf(outputs: SecretOutputs): SecretOutputs {
  const inputs = [
    "kubernetes",
    "namespace",
    "name",
    "owner",
    "data",
    "labels",
    "finalizer",
    "model",
  ] as const;
  return select(outputsOf(outputs), inputs) as SecretOutputs;
}

function outputsOf(outputs: SecretOutputs): SecretOutputs {
  const { kubernetes, namespace, name, owner, data, labels, finalizer, model, uid, drift } = outputs;
  const all = {
    kubernetes: targetOutput(kubernetes),
    namespace,
    name,
    owner,
    data: secretOutput(data),
    labels: labels ?? null,
    finalizer: finalizer ?? null,
    model: model ?? null,
    uid,
    drift,
    schemaVersion: 1,
  };
  return all as unknown as SecretOutputs;
}
