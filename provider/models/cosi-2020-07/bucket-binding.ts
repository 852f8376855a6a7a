import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, isRecord, sameValue } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { changeObject } from "../../kubernetes/metadata";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { describe, type KubernetesKind, type KubernetesObject } from "../../kubernetes/object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { refuseOthersMark } from "../../kubernetes/successor";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { bind } from "./bindings";
import { type Kinds, kindsOfModel } from "./kinds";
import { bindingEntry, type Request, type RequestName } from "./names";
import { readBucket, readStatus } from "./records";
import { requireLiving } from "./living-account";
import { setPhase } from "./status";

/** Inputs of {@link BucketBinding}. */
export interface BucketBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** Name of the API model. */
  model: string;
  /** Name of the Bucket object. */
  bucket: pulumi.Input<string>;
  /** The BucketAccess. */
  access: DeepInput<{ name: string; uid: string }>;
  /** The BucketAccessRequest. */
  accessRequest: DeepInput<{ namespace: string; name: string; uid: string }>;
  bucketRequest: DeepInput<{ namespace: string; name: string }>;
  provisioner: pulumi.Input<string>;
}

interface BindingInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  owner: string;
  model: string;
  bucket: string;
  access: { name: string; uid: string };
  accessRequest: Request;
  bucketRequest: RequestName;
  provisioner: string;
}

interface BindingOutputs extends BindingInputs {
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

/**
 * The last step of an access, once the Secrets are there: the entry in the Bucket's `bindings`, the names that the requests
 * are told, and the phases `Bound`. The access takes the entry out again, after its revoke; when this resource goes, it says
 * that the access goes, before anything of it does.
 */
export class BucketBinding extends DynamicResource {
  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/cosi20200708:BucketBinding";

  constructor(name: string, args: BucketBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { ...args };
    const file = "models/cosi-2020-07/bucket-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/cosi20200708", "BucketBinding", file, name, props, first);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "model",
  "bucket",
  "access",
  "accessRequest",
  "bucketRequest",
  "provisioner",
] as const satisfies readonly (keyof BindingInputs)[];

/** Logic of {@link BucketBinding}, called by Pulumi's host. */
export const provider = hosted<BindingInputs, BindingOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    return Promise.resolve(
      new CheckFailures().result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        accessRequest: keepUid(olds.accessRequest, news.accessRequest),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces: string[] = identityChanges(olds, news, ["bucket", "accessRequest"]);
    if (!containsUnknown(news.bucketRequest) && !sameValue(olds.bucketRequest, news.bucketRequest)) {
      replaces.push("bucketRequest");
    }
    // By the owner that is recorded a later run tells what is ours.
    const isChanged = !sameValue(olds.owner, news.owner) || !sameValue(olds.access, news.access);
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    return { id: entryOf(inputs), outs: await write(inputs, true) };
  },

  async update(_id, _olds, news) {
    return { outs: await write(news, false) };
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
    const kind = kinds.bucketAccessRequest;
    const { accessRequest } = props;
    // The first of the access that goes: what another stack has by now is told nothing, and nothing of it goes.
    refuseOthersMark(kind, accessRequest, await client.get(kind, accessRequest), accessRequest.uid, props);
    await setPhase(client, kind, accessRequest, { phase: "Deleting" });
  },
});

function entryOf({ access, bucketRequest }: BindingInputs): string {
  return bindingEntry(access.name, bucketRequest);
}

async function write(inputs: BindingInputs, isNew: boolean): Promise<BindingOutputs> {
  const kinds = kindsOfModel(inputs.model);
  const { bucket, access, accessRequest, bucketRequest } = inputs;
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  const request = await client.get(kinds.bucketRequest, bucketRequest);
  if (request === undefined) {
    throw new RefusedError(
      `${describe(kinds.bucketRequest, bucketRequest)} is gone, but ` +
        `${describe(kinds.bucketAccessRequest, accessRequest)} would be bound through it: \`pulumi destroy\` with --target ends the access`,
    );
  }
  await requireLiving(client, kinds, access);
  await bind(client, kinds, bucket, entryOf(inputs), { announced: isNew });
  try {
    await tell(client, kinds.bucketRequest, bucketRequest, "bucketInstanceName", bucket);
    await tell(client, kinds.bucketAccessRequest, accessRequest, "bucketAccessName", access.name);
    const bound = { phase: "Bound" } as const;
    await setPhase(client, kinds.bucketAccess, access, bound);
    await setPhase(client, kinds.bucketAccessRequest, accessRequest, bound);
    await setPhase(client, kinds.bucket, { name: bucket }, bound);
    await setPhase(client, kinds.bucketRequest, bucketRequest, bound);
  } catch (error) {
    const outputs = outputsOf({ ...inputs, drift: ["not bound completely"] });
    throw new FailedResourceError(
      errorText(error),
      entryOf(inputs),
      { ...inputs, ...outputs },
      { cause: error },
    );
  }
  return outputsOf({ ...inputs, drift: [] });
}

/** Fills in a name that the binding tells a request. */
async function tell(
  client: KubernetesClient,
  kind: KubernetesKind,
  request: RequestName & { uid?: string },
  field: string,
  value: string,
): Promise<void> {
  await changeObject(client, kind, request, (object) => {
    if (request.uid !== undefined && object.metadata.uid !== request.uid) return undefined;
    return fieldOf(object, field) === value ? undefined : { spec: { [field]: value } };
  });
}

function fieldOf(object: KubernetesObject, field: string): unknown {
  return isRecord(object["spec"]) ? object["spec"][field] : undefined;
}

async function driftOf(client: KubernetesClient, kinds: Kinds, props: BindingOutputs): Promise<string[]> {
  const { bucket: name, access, accessRequest, bucketRequest } = props;
  const drift: string[] = [];
  const bucket = await client.get(kinds.bucket, { name });
  const bindings = bucket === undefined ? [] : readBucket(bucket).bindings;
  if (!bindings.includes(entryOf(props))) drift.push(`Bucket's bindings have no ${entryOf(props)}`);
  const objects = [
    { kind: kinds.bucket, object: bucket },
    { kind: kinds.bucketAccess, object: await client.get(kinds.bucketAccess, access) },
    {
      kind: kinds.bucketAccessRequest,
      object: await client.get(kinds.bucketAccessRequest, accessRequest),
      field: "bucketAccessName",
      value: access.name,
    },
    {
      kind: kinds.bucketRequest,
      object: await client.get(kinds.bucketRequest, bucketRequest),
      field: "bucketInstanceName",
      value: name,
    },
  ];
  for (const { kind, object, field, value } of objects) {
    if (object === undefined) {
      drift.push(`${kind.kind} is gone`);
      continue;
    }
    const { phase } = readStatus(object);
    if (phase !== "Bound") drift.push(`${kind.kind}'s phase is ${JSON.stringify(phase)}`);
    if (field !== undefined && fieldOf(object, field) !== value) {
      drift.push(`${kind.kind}'s ${field} is ${JSON.stringify(fieldOf(object, field))}`);
    }
  }
  return drift;
}

function outputsOf(outputs: BindingOutputs): BindingOutputs {
  const { owner, model, bucket, access, accessRequest, bucketRequest, provisioner } = outputs;
  const all = {
    owner,
    model,
    bucket,
    access,
    accessRequest,
    bucketRequest,
    provisioner,
    kubernetes: targetOutput(outputs.kubernetes),
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
