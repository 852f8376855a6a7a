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
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { requireOfStack } from "../../kubernetes/foreign-object";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { keepResource } from "../../kubernetes/kept-name";
import { isRefusal, KubernetesError, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeMetadata, requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { ownerAnnotation, resourceAnnotation, stackIdAnnotation } from "../../kubernetes/ownership";
import { ofOurs, refuseForeignSuccessor } from "../../kubernetes/successor";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { writersOfRun } from "../../kubernetes/writers";
import { untilGone } from "../../kubernetes/until-gone";
import { noteProtection } from "../../run/given-up";
import { warn } from "../../run/warning";
import { howLeftBehind } from "../left-behind";
import { isGoing, requestGoneAnnotation } from "./bindings";
import { chooseBucket, chooseClass, permittedNamespaces } from "./bucket-choice";
import { finalizer, type Kinds, kindsOfModel, requestAnnotation } from "./kinds";
import { provisionerLabel, provisionerLabelValue } from "../cosi-proposals/provisioner-label";
import { requestMark } from "./names";
import { RequestRefusedError } from "./phase-error";
import { readBucket, readStatus, usersOf } from "./records";
import { refuseBound } from "./request-bound";
import {
  backendNameOf,
  bucketOf,
  isBrownfield,
  requestInputKeys,
  requestKept,
  requestOutputs,
  withSecretCopy,
  type RequestInputs,
  type RequestOutputs,
} from "./request-state";
import type { BucketClassCopy } from "./specs";
import { bucketNameField, type ApiProtocol } from "../cosi-proposals/protocols";
import { setPhase } from "./status";
import { heldDeletion, terminatingNotes } from "../terminating";

/** Inputs of {@link RequestBinding}. */
export interface RequestBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of the API model. */
  model: string;
  /** The BucketRequest. */
  request: DeepInput<{ namespace: string; name: string; uid: string }>;
  protocol: pulumi.Input<ApiProtocol>;
  bucketPrefix?: pulumi.Input<string> | undefined;
  /** A class of the program. */
  bucketClass?: DeepInput<BucketClassCopy> | undefined;
  /** The request names no class: it keeps the default one that it had first. @default false */
  byDefault?: boolean | undefined;
  /** A class of the cluster. @default none: `bucketClass`, or the default class of the protocol */
  bucketClassName?: pulumi.Input<string> | undefined;
  /** A Bucket that is there. @default none: one is made */
  bucketInstanceName?: pulumi.Input<string> | undefined;
  /** Name of the driver that serves a class which is looked up. @default none */
  provisioner?: pulumi.Input<string> | undefined;
  /** What the program says of the bucket. @default true */
  protectData?: pulumi.Input<boolean> | undefined;
}

/**
 * The step between a BucketRequest and its Bucket object: it protects the request by its finalizer, settles what it gets,
 * writes the Bucket object, and keeps what the request took from its class. It is created before the bucket at the driver,
 * and thus deleted after it, which is when object and finalizer have to go.
 *
 * Its id is the name of the Bucket object: an id stays known in the preview of an update, where an output does not.
 */
export class RequestBinding extends DynamicResource {
  /** The copy of the class; a request for a Bucket that is there has none. */
  declare readonly bucketClass: pulumi.Output<BucketClassCopy>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200708:RequestBinding";

  constructor(name: string, args: RequestBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = { bucketClass: undefined };
    const props = { ...outputs, ...args };
    const file = "models/cosi-2020-07/request-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200708", "RequestBinding", file, name, props, first);
  }
}

/** Logic of {@link RequestBinding}, called by Pulumi's host. */
export const provider = hosted<RequestInputs, RequestOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const { bucketClass } = news;
    noteProtection(olds.request, news.protectData);
    // A class that is edited, or made anew under its name, changes no bucket that exists: K07-050.
    const kept =
      isRecord(olds.bucketClass) &&
      isRecord(bucketClass) &&
      ((news.byDefault === true && olds.byDefault === true) || olds.bucketClass.name === bucketClass.name);
    return Promise.resolve(
      new CheckFailures().result({
        ...keepResource(olds, news),
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        request: keepUid(olds.request, news.request),
        bucketClass: withSecretCopy((kept ? olds.bucketClass : bucketClass) ?? null),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["request", "protocol", "bucketInstanceName"]);
    if (!isBrownfield(news) && !isBrownfield(olds)) {
      if (!isUnknown(news.bucketPrefix) && (olds.bucketPrefix ?? "") !== (news.bucketPrefix ?? ""))
        replaces.push("bucketPrefix");
      const before = classNameOf(olds);
      const after = classNameOf(news);
      // A default class is chosen once: K07-027.
      if (after !== undefined && !isUnknown(after) && before !== after) replaces.push("bucketClass");
    }
    refuseLoss(olds, news, replaces);
    const isChanged =
      containsUnknown(news.protectData) ||
      !sameValue(olds.owner, news.owner) ||
      !sameValue(olds.protectData ?? true, news.protectData ?? true);
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    const client = await connectKubernetes(inputs.kubernetes ?? {});
    return { id: bucketOf(inputs), outs: await settle(client, inputs, null) };
  },

  async update(_id, olds, news) {
    const client = await connectKubernetes(news.kubernetes ?? {});
    // What a looked-up class gave is known from the create on.
    const [first, second] = news.byDefault === true ? [olds, news] : [news, olds];
    const inputs = { ...news, bucketClass: first.bucketClass ?? second.bucketClass ?? null };
    return { outs: await settle(client, inputs, olds.request.uid) };
  },

  async read(id, recorded) {
    const props = requireRecorded("RequestBinding", id, recorded);
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucketRequest, props.request);
    // It stays in the state: the next request has another UID, which replaces it and what depends on it in their order.
    const same = found?.metadata.uid === props.request.uid;
    const drift = same
      ? await driftOf(client, kinds, props, found)
      : [
          `the BucketRequest ${found === undefined ? "is gone" : "of this name is not the one of this stack"}`,
        ];
    if (same) {
      for (const { kind, name, text } of terminatingNotes(kinds.bucketRequest, found)) warn(kind, name, text);
    }
    const outs = requestOutputs({ ...props, drift });
    return refreshed(id, outs, requestInputKeys);
  },

  async delete(_id, props) {
    const kinds = kindsOfModel(props.model);
    const { request } = props;
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucketRequest, request);
    refuseForeignSuccessor(kinds.bucketRequest, request, found, request.uid, props);
    await leaveBucket(client, kinds, props);
    if (found !== undefined && readStatus(found).phase !== "Deleted") {
      await setPhase(client, kinds.bucketRequest, request, { phase: "Deleting" });
    }
    // Whichever has the name: @pulumi/kubernetes deletes that.
    await removeFinalizers(client, kinds.bucketRequest, request, ofOurs(request.uid, props), [finalizer]);
  },
});

/** The class that a request names; `""` for the default one, `undefined` where it is not told which. */
function classNameOf({ bucketClass, bucketClassName, byDefault }: RequestInputs): string | undefined {
  if (byDefault === true) return "";
  const named = isRecord(bucketClass) ? bucketClass.name : bucketClassName;
  return named === null || named === "" ? undefined : named;
}

/** K07-032: what cannot be made in place, and must not lose what the Bucket stands for. */
function refuseLoss(olds: RequestOutputs, news: RequestInputs, replaces: readonly string[]): void {
  if (replaces.length === 0 || isBrownfield(olds)) return;
  const { namespace, name } = olds.request;
  const who = `the BucketRequest ${namespace}/${name}`;
  if (isBrownfield(news)) {
    throw new Error(
      `${who} has a bucket that was made for it, but would now name another one in bucketInstanceName: name that one in a request of ` +
        "a new name instead, so that it is clear what becomes of the bucket of this one",
    );
  }
  if (olds.bucketClass?.releasePolicy !== "Retain" || !keepsName(olds, news)) return;
  throw new Error(
    `${who} would be replaced, but its Bucket ${bucketOf(olds)} has releasePolicy Retain, so it stays and keeps the name ` +
      "that the new one would need. Next: leave protocol, bucketPrefix and class of this request as they are, and make a " +
      "request of a new name beside it",
  );
}

/**
 * True if the request that takes the place of this one has its name. Where its object is replaced, the engine asks with the
 * inputs of the state, and the request unknown: the guard of the object has been asked with those of the program.
 */
function keepsName({ kubernetes, model, resource, request }: RequestOutputs, news: RequestInputs): boolean {
  // Unknown as a whole where its object will be replaced.
  const { namespace, name } = isRecord(news.request) ? news.request : request;
  if (isUnknown(name) || isUnknown(namespace)) return false;
  if (name !== request.name || namespace !== request.namespace) return false;
  return writersOfRun.writes({
    kubernetes,
    kind: kindsOfModel(model).bucketRequest,
    namespace,
    name,
    resource,
  });
}

/** @param recorded UID of the request, as the state has it. */
async function settle(
  client: KubernetesClient,
  inputs: RequestInputs,
  recorded: string | null,
): Promise<RequestOutputs> {
  const kinds = kindsOfModel(inputs.model);
  const { request } = inputs;
  const found = await requireRequest(client, kinds, inputs, recorded);
  const held = heldDeletion(kinds.bucketRequest, found, finalizer);
  if (held !== undefined) throw requestKept(inputs, held);
  requireNotTerminating(kinds.bucketRequest, request, found);
  const wasProtected = found.metadata.finalizers?.includes(finalizer) === true;
  try {
    await addFinalizers(client, kinds.bucketRequest, request, request.uid, [finalizer]);
    const { phase } = readStatus(found);
    if (!wasProtected || phase.startsWith("Err")) {
      await setPhase(client, kinds.bucketRequest, request, { phase: "Creating" });
    }
    return requestOutputs({ ...inputs, ...(await choose(client, kinds, inputs)), drift: [] });
  } catch (error) {
    const phase = error instanceof RequestRefusedError ? error.phase : undefined;
    if (error instanceof FailedResourceError) throw error;
    try {
      if (phase !== undefined) await setPhase(client, kinds.bucketRequest, request, { phase });
      // Nothing was made: a finalizer of this attempt would hold back a `destroy` for nothing.
      if (!wasProtected && isRefusal(error)) {
        await removeFinalizers(client, kinds.bucketRequest, request, request.uid, [finalizer]);
        throw error;
      }
    } catch (second) {
      if (second === error) throw error;
    }
    throw requestKept(inputs, errorText(error), error);
  }
}

/** Reads class or Bucket, labels the request, and writes the Bucket object of a new bucket. */
async function choose(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: RequestInputs,
): Promise<Pick<RequestInputs, "bucketClass">> {
  if (isBrownfield(inputs)) {
    const { provisioner } = await chooseBucket(client, kinds, inputs);
    await labelRequest(client, kinds, inputs, provisioner);
    return { bucketClass: null };
  }
  const bucketClass = await chooseClass(client, kinds, inputs);
  await labelRequest(client, kinds, inputs, bucketClass.provisioner);
  await writeBucket(client, kinds, inputs, bucketClass);
  return { bucketClass };
}

async function requireRequest(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: RequestInputs,
  recorded: string | null,
): Promise<KubernetesObject> {
  const { request } = inputs;
  const found = await client.get(kinds.bucketRequest, request);
  if (found === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucketRequest, request)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }
  requireUid(kinds.bucketRequest, request, found, request.uid);
  requireOfStack(kinds.bucketRequest, found, [inputs], recorded);
  return found;
}

async function labelRequest(
  client: KubernetesClient,
  kinds: Kinds,
  { request }: RequestInputs,
  provisioner: string,
): Promise<void> {
  const value = provisionerLabelValue(provisioner);
  await changeMetadata(client, kinds.bucketRequest, request, ({ metadata }) =>
    metadata.uid !== request.uid || metadata.labels?.[provisionerLabel] === value
      ? undefined
      : { labels: { [provisionerLabel]: value } },
  );
}

/** Creates the Bucket object; one of this very request, of a run that was killed, is gone on with: K07-035. */
async function writeBucket(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: RequestInputs,
  bucketClass: BucketClassCopy,
): Promise<void> {
  const { request, protocol, owner, resource, kubernetes } = inputs;
  const name = bucketOf(inputs);
  const there = await client.get(kinds.bucket, { name });
  if (there !== undefined) {
    requireOwn(kinds, inputs, there);
    return;
  }
  const object = {
    metadata: {
      name,
      labels: { [provisionerLabel]: provisionerLabelValue(bucketClass.provisioner) },
      annotations: {
        [ownerAnnotation]: owner,
        [stackIdAnnotation]: kubernetes?.stackId ?? "",
        [resourceAnnotation]: resource,
        [requestAnnotation]: requestMark(request),
      },
    },
    spec: {
      provisioner: bucketClass.provisioner,
      releasePolicy: bucketClass.releasePolicy,
      anonymousAccessMode: bucketClass.anonymousAccessMode,
      bucketClassName: bucketClass.name,
      permittedNamespaces: await permittedNamespaces(client, request, bucketClass),
      protocol: {
        protocolSignature: protocol,
        [protocol]: { [bucketNameField(protocol)]: backendNameOf(inputs) },
      },
      parameters: bucketClass.parameters,
    },
  };
  try {
    await createKept(client, kinds.bucket, object);
  } catch (error) {
    if (!(error instanceof KubernetesError && error.conflict)) throw error;
    const other = await client.get(kinds.bucket, { name });
    if (other === undefined) throw error;
    requireOwn(kinds, inputs, other);
  }
  try {
    await setPhase(
      client,
      kinds.bucket,
      { name },
      { phase: "Creating", message: "the bucket is being made" },
    );
  } catch (error) {
    // The Bucket is there, whatever this refusal says: a `destroy` has to find it.
    throw requestKept({ ...inputs, bucketClass }, errorText(error), error);
  }
}

function requireOwn(kinds: Kinds, { request }: RequestInputs, found: KubernetesObject): void {
  const bucket = readBucket(found);
  if (bucket.request === requestMark(request) && !isGoing(bucket)) return;
  const whose =
    bucket.request === undefined ? "was not made for a BucketRequest" : `was made for ${bucket.request}`;
  throw new RefusedError(
    `${describe(kinds.bucket, bucket)} exists and ${isGoing(bucket) ? "is going" : whose}; it stays as it is, and ` +
      `${describe(kinds.bucketRequest, request)} cannot have its name: set bucketInstanceName to ${JSON.stringify(bucket.name)} ` +
      "to share it, or rename the request",
  );
}

/** What becomes of the Bucket object when its request goes. The backend's bucket is dealt with by now. */
async function leaveBucket(client: KubernetesClient, kinds: Kinds, props: RequestOutputs): Promise<void> {
  const name = bucketOf(props);
  const object = await client.get(kinds.bucket, { name });
  if (object === undefined) return;
  const bucket = readBucket(object);
  refuseBound(kinds, props.request, bucket.bindings);
  if (isBrownfield(props)) return;
  if (bucket.request === undefined) {
    const text = `is not marked as the one of ${describe(kinds.bucketRequest, props.request)}, so it stays`;
    warn(kinds.bucket.kind, name, text);
  }
  if (bucket.request !== requestMark(props.request)) return;
  const neverSent = !bucket.createSent && !bucket.isProtected && usersOf(bucket).length === 0;
  if (bucket.phase === "Deleted" || neverSent) {
    const { uid } = object.metadata;
    if (uid !== undefined) await client.delete(kinds.bucket, { name }, { uid });
    await untilGone(client, kinds.bucket, { name }, uid, [finalizer]);
    return;
  }
  const isDealtWith =
    bucket.phase === "Released" ||
    bucket.deletionTimestamp !== undefined ||
    object.metadata.annotations?.[requestGoneAnnotation] !== undefined;
  if (bucket.createSent && !isDealtWith) {
    throw new RefusedError(
      `${describe(kinds.bucket, { name })} may have a bucket ${bucket.bucketName} in the backend, which no resource ` +
        `of the state has any more: ${howLeftBehind}; nothing was deleted. Next: run \`pulumi up\` first, which takes it into the ` +
        "state. To let the request go and leave the Bucket and its bucket as they are: " +
        `kubectl annotate buckets.${kinds.group} ${name} ${requestGoneAnnotation}=true , then run the command again`,
    );
  }
  await changeMetadata(client, kinds.bucket, { name }, ({ metadata }) =>
    metadata.annotations?.[requestGoneAnnotation] === undefined
      ? { annotations: { [requestGoneAnnotation]: "true" } }
      : undefined,
  );
}

async function driftOf(
  client: KubernetesClient,
  kinds: Kinds,
  props: RequestOutputs,
  request: KubernetesObject,
): Promise<string[]> {
  const drift: string[] = [];
  if (request.metadata.finalizers?.includes(finalizer) !== true) {
    drift.push(`BucketRequest's finalizer ${finalizer} is missing`);
  }
  const name = bucketOf(props);
  const bucket = await client.get(kinds.bucket, { name });
  if (bucket === undefined) drift.push(`${describe(kinds.bucket, { name })} is gone`);
  return drift;
}
