import * as pulumi from "@pulumi/pulumi";
import type { BucketInfo } from "../../contracts/contract";
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
import { untilGone } from "../../kubernetes/until-gone";
import { warn } from "../../run/warning";
import { heldDeletion, terminatingNotes } from "../terminating";
import { leftBehindText } from "../left-behind";
import { chooseAccessClass, chooseAccessedBucket, chooseBucketRequest } from "./access-choice";
import {
  accessRequestInputKeys,
  accessRequestOutputs,
  type AccessRequestInputs,
  type AccessRequestOutputs,
} from "./access-request-state";
import { accessRequestAnnotation, finalizer, type Kinds, kindsOfModel } from "./kinds";
import { provisionerLabel, provisionerLabelValue } from "../cosi-proposals/provisioner-label";
import { accessNameOf, requestMark } from "./names";
import { bucketInfoOf } from "./protocol-data";
import { withSecretCopy } from "./request-state";
import type { AccessClassCopy } from "./specs";
import { setPhase } from "./status";

/** Inputs of {@link AccessRequestBinding}. */
export interface AccessRequestBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack: value of the annotation `pulumi-cosi/resource`. */
  resource: pulumi.Input<string>;
  /** Name of the API model. */
  model: string;
  /** The BucketAccessRequest. */
  request: DeepInput<{ namespace: string; name: string; uid: string }>;
  /** The BucketRequest through which it is bound. @default the only one of the namespace for the Bucket */
  bucketRequest?: DeepInput<{ namespace: string; name: string }> | undefined;
  /** Name of the Bucket object. */
  bucketInstance: pulumi.Input<string>;
  /** What a change of makes it another bucket, although its object has the same name. */
  bucketResource: pulumi.Input<string>;
  /** A class of the program. */
  accessClass?: DeepInput<AccessClassCopy> | undefined;
  /** A class of the cluster. @default none: `accessClass` is given */
  accessClassName?: pulumi.Input<string> | undefined;
  /** Name of the driver that serves the class. */
  provisioner?: pulumi.Input<string> | undefined;
  accessSecretName?: pulumi.Input<string> | undefined;
  serviceAccountName?: pulumi.Input<string> | undefined;
}

/**
 * The step between a BucketAccessRequest and its BucketAccess: it protects the request by its finalizer, settles class,
 * Bucket and BucketRequest, and writes the BucketAccess. It is created before the grant, and thus deleted after the revoke,
 * which is when object and finalizer have to go.
 *
 * Its id is the UID of the BucketAccess: an id stays known in the preview of an update, where an output does not.
 */
export class AccessRequestBinding extends DynamicResource {
  /** The copy of the class. */
  declare readonly accessClass: pulumi.Output<AccessClassCopy>;
  declare readonly bucketRequest: pulumi.Output<{ namespace: string; name: string }>;
  /** The backend's name of the bucket. */
  declare readonly bucketId: pulumi.Output<string>;
  declare readonly bucketInfo: pulumi.Output<BucketInfo | null>;
  /** How the bucket is reached, by the fields of its protocol. */
  declare readonly protocolFields: pulumi.Output<Record<string, string>>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200708:AccessRequestBinding";

  constructor(name: string, args: AccessRequestBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      accessClass: undefined,
      bucketRequest: undefined,
      bucketId: undefined,
      bucketInfo: undefined,
      protocolFields: undefined,
    };
    const file = "models/cosi-2020-07/access-request-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200708", "AccessRequestBinding", file, name, { ...outputs, ...args }, first);
  }
}

/** Logic of {@link AccessRequestBinding}, called by Pulumi's host. */
export const provider = hosted<AccessRequestInputs, AccessRequestOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    const { accessClass } = news;
    // A class that is edited, or made anew under its name, changes no access that exists: K07-078.
    const kept =
      isRecord(olds.accessClass) && isRecord(accessClass) && olds.accessClass.name === accessClass.name;
    return Promise.resolve(
      new CheckFailures().result({
        ...keepResource(olds, news),
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        request: keepUid(olds.request, news.request),
        accessClass: withSecretCopy((kept ? olds.accessClass : accessClass) ?? null),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["request", "bucketInstance", "bucketResource"]);
    const named = isRecord(news.bucketRequest) && !containsUnknown(news.bucketRequest);
    if (named && !sameValue(olds.bucketRequest, news.bucketRequest)) replaces.push("bucketRequest");
    const [before, after] = [classNameOf(olds), classNameOf(news)];
    if (!isUnknown(after) && before !== after) replaces.push("accessClass");
    // One that was kept for its finalizer has not come to its BucketAccess, whose UID its id has to be.
    if (olds.accessUid === "" && !replaces.includes("request")) replaces.push("request");
    if (!isUnknown(news.serviceAccountName) && !sameValue(olds.serviceAccountName, news.serviceAccountName)) {
      replaces.push("serviceAccountName");
    }
    const isChanged =
      !sameValue(olds.owner, news.owner) || !sameValue(olds.accessSecretName, news.accessSecretName);
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    const outs = await settle(await connectKubernetes(inputs.kubernetes ?? {}), inputs);
    return { id: outs.accessUid, outs };
  },

  async update(_id, olds, news) {
    const client = await connectKubernetes(news.kubernetes ?? {});
    const kinds = kindsOfModel(news.model);
    // Bucket and class were judged when access was asked for; what was granted stays, whatever has become of them.
    const {
      bucketRequest = null,
      accessClass = null,
      bucketId,
      bucketInfo,
      protocolFields,
      accessUid,
    } = olds;
    const known = {
      ...news,
      bucketRequest: news.bucketRequest ?? bucketRequest,
      accessClass: news.accessClass ?? accessClass,
    };
    requireNotTerminating(
      kinds.bucketAccessRequest,
      news.request,
      await requireRequest(client, kinds, known, olds.request.uid),
    );
    const { request } = known;
    await addFinalizers(client, kinds.bucketAccessRequest, request, request.uid, [finalizer]);
    if ((olds.drift ?? []).length > 0) await restoreMark(client, kinds, olds);
    const told = { bucketId, bucketInfo, protocolFields, accessUid, drift: [] };
    return { outs: accessRequestOutputs({ ...known, ...told }) };
  },

  async read(id, recorded) {
    const props = requireRecorded("AccessRequestBinding", id, recorded);
    const kinds = kindsOfModel(props.model);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucketAccessRequest, props.request);
    // It stays in the state: the next request has another UID, which replaces it and what depends on it in their order.
    const same = found?.metadata.uid === props.request.uid;
    const access = await client.get(kinds.bucketAccess, { name: accessNameOf(props.request) });
    // The next one has another UID, to which the Secret's ownerReference has to lead.
    if (same && access?.metadata.uid !== props.accessUid) return {};
    const drift: string[] = [];
    if (!same) {
      const state = found === undefined ? "is gone" : "of this name is not the one of this stack";
      drift.push(`the BucketAccessRequest ${state}`);
    } else if (found.metadata.finalizers?.includes(finalizer) !== true) {
      drift.push(`BucketAccessRequest's finalizer ${finalizer} is missing`);
    }
    if (same && access !== undefined && lostMark(access, props)) {
      drift.push(`BucketAccess's annotation ${accessRequestAnnotation} is missing`);
    }
    const notes = same ? terminatingNotes(kinds.bucketAccessRequest, found) : [];
    for (const { kind, name, text } of notes) warn(kind, name, text);
    const outs = accessRequestOutputs({ ...props, drift });
    return refreshed(id, outs, accessRequestInputKeys);
  },

  async delete(_id, props) {
    const kinds = kindsOfModel(props.model);
    const { request } = props;
    const client = await connectKubernetes(props.kubernetes ?? {});
    const found = await client.get(kinds.bucketAccessRequest, request);
    refuseForeignSuccessor(kinds.bucketAccessRequest, request, found, request.uid, props);
    const isRequest = ofOurs(request.uid, props);
    const access = { name: accessNameOf(request) };
    const object = await client.get(kinds.bucketAccess, access);
    const { uid, finalizers = [] } = object?.metadata ?? {};
    const isOurs = object !== undefined && isOfRequest(object, props);
    if (isOurs && finalizers.includes(finalizer)) {
      // Its entry in the Bucket's bindings would stay, and hold the Bucket for ever.
      throw new RefusedError(leftBehindText(kinds.bucketAccess, object, [finalizer], "an account", false));
    }
    await setPhase(client, kinds.bucketAccessRequest, request, { phase: "Deleting" });
    if (uid !== undefined && isOurs) {
      await client.delete(kinds.bucketAccess, access, { uid });
      await untilGone(client, kinds.bucketAccess, access, uid, [finalizer]);
    }
    // Whichever has the name: @pulumi/kubernetes deletes that.
    await removeFinalizers(client, kinds.bucketAccessRequest, request, isRequest, [finalizer]);
  },
});

function classNameOf({ accessClass, accessClassName }: AccessRequestInputs): string | null | undefined {
  return isRecord(accessClass) ? accessClass.name : accessClassName;
}

async function settle(client: KubernetesClient, inputs: AccessRequestInputs): Promise<AccessRequestOutputs> {
  const kinds = kindsOfModel(inputs.model);
  const { request } = inputs;
  const found = await requireRequest(client, kinds, inputs, null);
  const held = heldDeletion(kinds.bucketAccessRequest, found, finalizer);
  if (held !== undefined) throw kept(inputs, held);
  requireNotTerminating(kinds.bucketAccessRequest, request, found);
  const wasProtected = found.metadata.finalizers?.includes(finalizer) === true;
  try {
    await addFinalizers(client, kinds.bucketAccessRequest, request, request.uid, [finalizer]);
    if (!wasProtected) await setPhase(client, kinds.bucketAccessRequest, request, { phase: "Pending" });
    const bucket = await chooseAccessedBucket(client, kinds, inputs);
    const accessClass = await chooseAccessClass(client, kinds, inputs, bucket);
    const bucketRequest = await chooseBucketRequest(client, kinds, inputs, bucket);
    await label(client, kinds, inputs, accessClass.provisioner);
    const accessUid = await writeAccess(client, kinds, inputs, accessClass);
    const { bucketName: bucketId, protocolFields } = bucket;
    const told = { bucketId, bucketInfo: bucketInfoOf(bucket), protocolFields, accessUid, drift: [] };
    return accessRequestOutputs({ ...inputs, accessClass, bucketRequest, ...told });
  } catch (error) {
    if (error instanceof FailedResourceError) throw error;
    const text = errorText(error);
    try {
      await setPhase(client, kinds.bucketAccessRequest, request, { phase: "Failed", message: text });
      // Nothing was made: a finalizer of this attempt would hold back a `destroy` for nothing.
      if (!wasProtected && isRefusal(error)) {
        await removeFinalizers(client, kinds.bucketAccessRequest, request, request.uid, [finalizer]);
        throw error;
      }
    } catch (second) {
      if (second === error) throw error;
    }
    throw kept(inputs, text, error);
  }
}

/** The error with which a request stays in the state, so that a `destroy` takes off what it put on. */
function kept(inputs: AccessRequestInputs, message: string, cause?: unknown): FailedResourceError {
  const untold = {
    bucketId: "",
    bucketInfo: null,
    protocolFields: {},
    accessUid: "",
    drift: ["not bound"],
  };
  const outputs = accessRequestOutputs({ ...inputs, ...untold });
  return new FailedResourceError(message, accessNameOf(inputs.request), { ...inputs, ...outputs }, { cause });
}

/** @param recorded UID of the request, as the state has it. */
async function requireRequest(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: AccessRequestInputs,
  recorded: string | null,
): Promise<KubernetesObject> {
  const { request } = inputs;
  const found = await client.get(kinds.bucketAccessRequest, request);
  if (found === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucketAccessRequest, request)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }
  requireUid(kinds.bucketAccessRequest, request, found, request.uid);
  requireOfStack(kinds.bucketAccessRequest, found, [inputs], recorded);
  return found;
}

async function label(
  client: KubernetesClient,
  kinds: Kinds,
  { request }: AccessRequestInputs,
  provisioner: string,
): Promise<void> {
  const value = provisionerLabelValue(provisioner);
  await changeMetadata(client, kinds.bucketAccessRequest, request, ({ metadata }) =>
    metadata.uid !== request.uid || metadata.labels?.[provisionerLabel] === value
      ? undefined
      : { labels: { [provisionerLabel]: value } },
  );
}

/** Creates the BucketAccess; one of this very request is gone on with: K07-070. @returns Its UID. */
async function writeAccess(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: AccessRequestInputs,
  { provisioner, parameters }: AccessClassCopy,
): Promise<string> {
  const { request, owner, resource, kubernetes, serviceAccountName = null } = inputs;
  const name = accessNameOf(request);
  const object = {
    metadata: {
      name,
      labels: { [provisionerLabel]: provisionerLabelValue(provisioner) },
      annotations: {
        [ownerAnnotation]: owner,
        [stackIdAnnotation]: kubernetes?.stackId ?? "",
        [resourceAnnotation]: resource,
        [accessRequestAnnotation]: requestMark(request),
      },
    },
    spec: {
      bucketAccessRequestName: request.name,
      bucketAccessRequestNamespace: request.namespace,
      ...(serviceAccountName === null ? { accessSecretName: name } : { serviceAccountName }),
      provisioner,
      parameters,
    },
  };
  const there = await client.get(kinds.bucketAccess, { name });
  if (there !== undefined) return takeUp(client, kinds, inputs, there, object.spec);
  try {
    return uidOf(await createKept(client, kinds.bucketAccess, object));
  } catch (error) {
    if (!(error instanceof KubernetesError && error.conflict)) throw error;
    const other = await client.get(kinds.bucketAccess, { name });
    if (other === undefined) throw error;
    return takeUp(client, kinds, inputs, other, object.spec);
  }
}

/** By its mark; one of which somebody took it off by its UID. */
function isOfRequest(access: KubernetesObject, props: AccessRequestOutputs): boolean {
  const mark = access.metadata.annotations?.[accessRequestAnnotation];
  return mark === requestMark(props.request) || lostMark(access, props);
}

function lostMark({ metadata }: KubernetesObject, { accessUid }: AccessRequestOutputs): boolean {
  return metadata.uid === accessUid && metadata.annotations?.[accessRequestAnnotation] === undefined;
}

async function restoreMark(
  client: KubernetesClient,
  kinds: Kinds,
  props: AccessRequestOutputs,
): Promise<void> {
  const { request } = props;
  await changeMetadata(client, kinds.bucketAccess, { name: accessNameOf(request) }, (access) =>
    lostMark(access, props)
      ? { annotations: { [accessRequestAnnotation]: requestMark(request) } }
      : undefined,
  );
}

/** Goes on with a BucketAccess that is there, under our mark from then on. @returns Its UID. */
async function takeUp(
  client: KubernetesClient,
  kinds: Kinds,
  inputs: AccessRequestInputs,
  found: KubernetesObject,
  spec: object,
): Promise<string> {
  const uid = requireOwn(kinds, inputs, found, spec);
  const mark = requestMark(inputs.request);
  await changeMetadata(client, kinds.bucketAccess, { name: found.metadata.name }, ({ metadata }) =>
    metadata.annotations?.[accessRequestAnnotation] === mark
      ? undefined
      : { annotations: { [accessRequestAnnotation]: mark } },
  );
  return uid;
}

function requireOwn(
  kinds: Kinds,
  { request }: AccessRequestInputs,
  found: KubernetesObject,
  wanted: object,
): string {
  const spec = isRecord(found["spec"]) ? found["spec"] : {};
  const mark = found.metadata.annotations?.[accessRequestAnnotation];
  const named =
    spec["bucketAccessRequestName"] === request.name &&
    spec["bucketAccessRequestNamespace"] === request.namespace;
  const isOurs = mark === undefined ? sameValue(spec, wanted) : mark === requestMark(request);
  if (named && isOurs) {
    requireNotTerminating(kinds.bucketAccess, { name: found.metadata.name }, found);
    return uidOf(found);
  }
  throw new RefusedError(
    `${describe(kinds.bucketAccess, { name: found.metadata.name })} exists and is that of the BucketAccessRequest ` +
      `${String(spec["bucketAccessRequestNamespace"])}/${String(spec["bucketAccessRequestName"])}` +
      `${named ? ", but not as this stack would write it" : ""}; it stays as it is: give ${describe(kinds.bucketAccessRequest, request)} another name`,
  );
}

function uidOf({ metadata }: KubernetesObject): string {
  return metadata.uid ?? "";
}
