import * as pulumi from "@pulumi/pulumi";
import type { AnonymousAccess } from "../../contracts/contract";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, isUnknown, sameValue } from "../../dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { createKept } from "../../kubernetes/create-kept";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges } from "../../kubernetes/identity";
import { keepNamed } from "../../kubernetes/kept-name";
import { isRefusal, KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeStatus, requireNotTerminating, swap } from "../../kubernetes/metadata";
import { recordedUidOf, refuseForeign } from "../../kubernetes/foreign-object";
import { describe, namespaceKind, type KubernetesKind, type KubernetesObject } from "../../kubernetes/object";
import { isOfStack } from "../../kubernetes/ownership";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { untilGone } from "../../kubernetes/until-gone";
import { writersOfRun } from "../../kubernetes/writers";
import { warn } from "../../run/warning";
import { terminatingNotes } from "../terminating";
import { judgeAdminBucket } from "./admin-bucket-check";
import { driftOf, objectOf, patchOf } from "./admin-bucket-object";
import {
  adminBucketInputKeys,
  adminBucketOutputs,
  backendBucketOf,
  type AdminBucketInputs,
  type AdminBucketOutputs,
} from "./admin-bucket-state";
import { finalizer, kindsOfModel } from "./kinds";
import { readBucket, readStatus } from "./records";
import { readAccessMode, type PermittedNamespace } from "./specs";
import { bucketNameField, readProtocol, type ApiProtocol } from "../cosi-proposals/protocols";

/** Inputs of {@link AdminBucket}. */
export interface AdminBucketArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of the API model in a group. */
  model: string;
  name: pulumi.Input<string>;
  /** The program gives no name; the first one then stays, whatever an alias calls the component. @default false */
  isDefaultName?: boolean | undefined;
  labels?: DeepInput<Record<string, string>> | undefined;
  annotations?: DeepInput<Record<string, string>> | undefined;
  provisioner: pulumi.Input<string>;
  /** Always `Retain`: what was there before is never deleted. @default "Retain" */
  releasePolicy?: pulumi.Input<"Retain"> | undefined;
  anonymousAccessMode: pulumi.Input<AnonymousAccess>;
  /** Namespaces whose requests may bind; nobody's may with an empty list. A `uid` that is left out is looked up. */
  permittedNamespaces: DeepInput<PermittedNamespace[]>;
  protocol: pulumi.Input<ApiProtocol>;
  /** The member of `spec.protocol` that the protocol names. */
  protocolFields: DeepInput<Record<string, string>>;
  parameters?: DeepInput<Record<string, string>> | undefined;
}

/**
 * The Bucket object by which an administrator offers a bucket that is there already. Bindings, phase, finalizer and the
 * provisioner's label belong to those who bind to it: they are neither written here nor seen as a change.
 * @pulumi/kubernetes would take the object over from somebody else, and delete it under those who are bound.
 *
 * Its id is the name of the object.
 */
export class AdminBucket extends DynamicResource {
  declare readonly name: pulumi.Output<string>;
  /** The permitted namespaces, each with its UID. */
  declare readonly permitted: pulumi.Output<PermittedNamespace[]>;
  /** What a delete does, in words. */
  declare readonly onDelete: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200708:AdminBucket";

  constructor(name: string, args: AdminBucketArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { permitted: undefined, onDelete: undefined };
    const props = { ...outputs, ...args };
    const file = "models/cosi-2020-07/admin-bucket";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200708", "AdminBucket", file, name, props, first);
  }
}

/** Logic of {@link AdminBucket}, called by Pulumi's host. */
export const provider = hosted<AdminBucketInputs, AdminBucketOutputs>({
  configure: configureKubernetes,

  check(olds, given) {
    const failures = new CheckFailures();
    const news = keepNamed(olds, given);
    judgeAdminBucket(failures, news);
    const kind = kindOf(news);
    const problem = writersOfRun.problemOf({ ...news, kind, resource: given.resource });
    if (problem !== undefined) failures.add("name:", problem);
    const inputs: AdminBucketInputs = {
      ...news,
      kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
      releasePolicy: news.releasePolicy ?? "Retain",
      anonymousAccessMode: readAccessMode(news.anonymousAccessMode) ?? news.anonymousAccessMode,
      protocol: readProtocol(news.protocol) ?? news.protocol,
      onDelete: "deletes the Bucket object only, and keeps the bucket and its data (it existed before)",
    };
    const { anonymousAccessMode: mode } = inputs;
    if (olds.name === news.name && !isUnknown(mode) && olds.anonymousAccessMode !== mode) {
      warn(
        kind.kind,
        news.name,
        `anonymousAccessMode ${JSON.stringify(mode)} is written to the object only: no call tells the driver of it`,
      );
    }
    return Promise.resolve(failures.result(inputs));
  },

  diff(_id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["model", "name"]);
    // Another bucket: whoever is bound to this one would be granted, and denied, something else.
    for (const key of ["provisioner", "protocol"] as const) {
      if (!isUnknown(news[key]) && news[key] !== olds[key]) replaces.push(key);
    }
    if (isOtherBackendBucket(olds, news)) replaces.push("protocolFields");
    const changed = adminBucketInputKeys.some(
      (key) => key !== "onDelete" && key !== "isDefaultName" && isChanged(olds[key], news[key]),
    );
    return Promise.resolve(planOf(olds, news, replaces, changed));
  },

  async create(inputs) {
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    const problem = writersOfRun.problemOf({ ...inputs, kind: kindOf(inputs) }, client.server);
    if (problem !== undefined) throw new RefusedError(problem);
    return { id: inputs.name, outs: await write(client, inputs, undefined) };
  },

  async update(_id, olds, news) {
    return { outs: await write(await connectKubernetes(news.kubernetes ?? {}), news, olds) };
  },

  async read(id, recorded) {
    const props = requireRecorded("AdminBucket", id, recorded);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const kind = kindOf(props);
    const found = await client.get(kind, { name: props.name });
    if (found === undefined) return {};
    const uid = (isOwn(found, props) ? found.metadata.uid : props.uid) ?? null;
    const outs = adminBucketOutputs({ ...props, uid, drift: seen(kind, found, props) });
    return refreshed(id, outs, adminBucketInputKeys);
  },

  async delete(_id, props) {
    const client = await connectKubernetes(props.kubernetes ?? {});
    const kind = kindOf(props);
    const { name } = props;
    const deleted = await swap(client, kind, { name }, async (object) => {
      const { uid, resourceVersion } = object.metadata;
      if (!isOwn(object, props) || uid === undefined) {
        warn(kind.kind, name, "is not that of this stack, so it stays");
        return undefined;
      }
      refuseBound(kind, object);
      await client.delete(kind, { name }, { uid, resourceVersion });
      return uid;
    });
    if (deleted === undefined) return;
    await untilGone(client, kind, { name }, deleted, [finalizer]);
    warn(
      kind.kind,
      name,
      `is deleted, and the backend's bucket ${JSON.stringify(backendBucketOf(props))} of ${props.provisioner} stays with ` +
        "its data: it was there before",
    );
  },
});

function kindOf({ model }: AdminBucketInputs): KubernetesKind {
  return kindsOfModel(model).bucket;
}

function isChanged(before: unknown, now: unknown): boolean {
  return containsUnknown(now) || !sameValue(before, now);
}

function isOtherBackendBucket(olds: AdminBucketInputs, news: AdminBucketInputs): boolean {
  if (isUnknown(news.protocol) || isUnknown(news.protocolFields) || news.protocol !== olds.protocol)
    return false;
  const now = news.protocolFields[bucketNameField(news.protocol)];
  return !isUnknown(now) && now !== backendBucketOf(olds);
}

/** Creates the object, or brings the one that this component wrote to what the inputs say. */
async function write(
  client: KubernetesClient,
  inputs: AdminBucketInputs,
  olds: AdminBucketOutputs | undefined,
): Promise<AdminBucketOutputs> {
  const kind = kindOf(inputs);
  const reference = { name: inputs.name };
  const found = await findOwn(client, inputs, olds);
  const permitted = await permittedOf(client, inputs, olds);
  let written: KubernetesObject | undefined;
  const outs = (drift: string[]): AdminBucketOutputs => {
    const uid = written?.metadata.uid ?? olds?.uid ?? null;
    return adminBucketOutputs({ ...inputs, permitted, uid, drift });
  };
  try {
    written = await createOrPatch(client, { inputs, permitted, olds, found });
    await changeStatus(client, kind, reference, (object) => {
      const isNew = readStatus(object).phase === "" && readBucket(object).bindings.length === 0;
      return isNew ? { phase: "Released", message: "no access is bound to it" } : undefined;
    });
  } catch (error) {
    if (written === undefined && isRefusal(error)) throw error;
    // It may have been made: kept in the state, so that the next command finds it.
    const properties = { ...inputs, ...outs(["not written completely"]) };
    throw new FailedResourceError(errorText(error), inputs.name, properties, { cause: error });
  }
  return outs([]);
}

/** The object that this component wrote; `undefined` if the name is free. @throws RefusedError for any other. */
async function findOwn(
  client: KubernetesClient,
  inputs: AdminBucketInputs,
  olds: AdminBucketOutputs | undefined,
): Promise<KubernetesObject | undefined> {
  const kind = kindOf(inputs);
  const reference = { name: inputs.name };
  const found =
    olds === undefined
      ? await refuseForeign(client, kind, reference, [inputs])
      : await refuseForeign(client, kind, reference, [inputs, olds], olds.uid ?? null);
  if (found !== undefined) requireNotTerminating(kind, reference, found);
  return found;
}

interface Writing {
  readonly inputs: AdminBucketInputs;
  readonly permitted: readonly PermittedNamespace[];
  readonly olds: AdminBucketOutputs | undefined;
  readonly found: KubernetesObject | undefined;
}

async function createOrPatch(client: KubernetesClient, writing: Writing): Promise<KubernetesObject> {
  const { inputs, permitted, olds } = writing;
  const kind = kindOf(inputs);
  let { found } = writing;
  if (found === undefined) {
    try {
      return await createKept(client, kind, objectOf(inputs, permitted));
    } catch (error) {
      if (!(error instanceof KubernetesError && error.conflict)) throw error;
      found = await findOwn(client, inputs, olds);
      if (found === undefined) throw error;
    }
  }
  return client.patch(kind, { name: inputs.name }, patchOf(inputs, permitted, olds, found));
}

/** K07-045: a UID that is left out is looked up once, so that a namespace which is made again is another one. */
function permittedOf(
  client: KubernetesClient,
  { name: bucketName, model, permittedNamespaces }: AdminBucketInputs,
  olds: AdminBucketOutputs | undefined,
): Promise<PermittedNamespace[]> {
  const lookedUp = new Set(
    (olds?.permittedNamespaces ?? []).filter(({ uid }) => (uid ?? "") === "").map(({ name }) => name),
  );
  const recorded = new Map((olds?.permitted ?? []).map(({ name, uid }) => [name, uid ?? undefined]));
  return Promise.all(
    permittedNamespaces.map(async ({ name, uid }) => {
      if (typeof uid === "string" && uid !== "") return { name, uid };
      const known = lookedUp.has(name) ? recorded.get(name) : undefined;
      if (known !== undefined) return { name, uid: known };
      const found = (await client.get(namespaceKind, { name }))?.metadata.uid;
      if (found !== undefined) return { name, uid: found };
      throw new RefusedError(
        `${describe(kindsOfModel(model).bucket, { name: bucketName })} permits the namespace ${name}, which ` +
          "does not exist, so it has no UID to be permitted by: make it first, or take it out of permittedNamespaces",
      );
    }),
  );
}

function isOwn(found: KubernetesObject, props: AdminBucketOutputs): boolean {
  return isOfStack(found, props, recordedUidOf(found, props.uid));
}

/** What a refresh finds to be other than written; of what only the user can mend, a line tells. */
function seen(kind: KubernetesKind, found: KubernetesObject, props: AdminBucketOutputs): string[] {
  if (!isOwn(found, props)) {
    const text = "is not the one of this stack any more";
    warn(kind.kind, props.name, `${text}; it stays, and the next up stops`);
    return [`the object of this name ${text}`];
  }
  for (const { kind: of, name, text } of terminatingNotes(kind, found)) warn(of, name, text);
  return driftOf(found, props);
}

/** K07-099. The finalizer is put on before the first call for an access, and taken off after the last. */
function refuseBound(kind: KubernetesKind, object: KubernetesObject): void {
  const { name, bindings, isProtected } = readBucket(object);
  if (bindings.length === 0 && !isProtected) return;
  const why =
    bindings.length > 0
      ? `is still bound: ${bindings.join(", ")}`
      : `has ${finalizer}: an access to it is being granted or revoked, or the run that did so failed`;
  throw new RefusedError(
    `${describe(kind, { name })} ${why}; nothing was deleted. Next: delete the BucketAccessRequests first, in the stacks ` +
      "that made them, then run the command again",
  );
}
