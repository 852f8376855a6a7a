import * as pulumi from "@pulumi/pulumi";
import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { containsUnknown, sameValue } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { keepResource } from "../../kubernetes/kept-name";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { changeObject, requireUid } from "../../kubernetes/metadata";
import { describe } from "../../kubernetes/object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { refuseOthersMark } from "../../kubernetes/successor";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { writersOfRun } from "../../kubernetes/writers";
import { warn } from "../../run/warning";
import { refuseAdoptedSuccession } from "./adoption";
import { lastErrorAnnotation, objectBucketClaimKind, objectBucketKind } from "./kinds";
import {
  objectBucketDrift,
  writeObjectBucket,
  type BucketEndpointRecord,
  type ObjectBucketContent,
} from "./object-bucket-object";
import { isOfClaim, readClaim, readObjectBucket, type ClaimReference } from "./records";
import { tellReleased } from "./released";
import { tellError, writePhase, type Dialect } from "./status";

/** Inputs of {@link ObjectBucketBinding}. */
export interface ObjectBucketBindingArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  /** `<organization>/<project>/<stack>`. */
  owner: string;
  /** URN of the component below the stack. */
  resource: pulumi.Input<string>;
  claim: DeepInput<ClaimReference>;
  /** Name of the ObjectBucket. */
  name: pulumi.Input<string>;
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  provisioner: pulumi.Input<string>;
  storageClassName: pulumi.Input<string>;
  reclaimPolicy: pulumi.Input<string>;
  endpoint: DeepInput<BucketEndpointRecord>;
  additionalState: pulumi.Input<Record<string, pulumi.Input<string>>>;
  dialect: Dialect;
  /** The objects are there, and stay as they are. */
  adopt: boolean;
}

interface BindingInputs extends ObjectBucketContent {
  kubernetes?: KubernetesTarget | null | undefined;
  adopt: boolean;
}

interface BindingOutputs extends BindingInputs {
  /** Phase of the claim. */
  phase: string;
  /** What a refresh found to be other than it should be. */
  drift?: string[] | null;
}

/**
 * The last step of a claim: its ObjectBucket, then the link and the phase `Bound` of the claim. When it goes, which is first,
 * both say that they are released. Source: OBC-061, OBC-083, OBC-096, OBC-097.
 */
export class ObjectBucketBinding extends DynamicResource {
  /** Name of the ObjectBucket, once all is bound. */
  declare readonly name: pulumi.Output<string>;
  /** Phase of the claim: `Bound`. */
  declare readonly phase: pulumi.Output<string>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/objectbucket:ObjectBucketBinding";

  constructor(name: string, args: ObjectBucketBindingArgs, opts?: pulumi.CustomResourceOptions) {
    const props = { phase: undefined, ...args };
    const file = "models/objectbucket/object-bucket-binding";
    const first = pulumi.mergeOptions({ deleteBeforeReplace: true }, opts);
    super("cosi/objectbucket", "ObjectBucketBinding", file, name, props, first);
  }
}

const inputKeys = [
  "kubernetes",
  "owner",
  "resource",
  "claim",
  "name",
  "labels",
  "annotations",
  "provisioner",
  "storageClassName",
  "reclaimPolicy",
  "endpoint",
  "additionalState",
  "dialect",
  "adopt",
] as const satisfies readonly (keyof BindingInputs)[];

/** Logic of {@link ObjectBucketBinding}, called by Pulumi's host. */
export const provider = hosted<BindingInputs, BindingOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    return Promise.resolve(
      new CheckFailures().result({
        ...keepResource(olds, news),
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        claim: keepUid(olds.claim, news.claim),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, ["claim", "name"]);
    const untold: readonly string[] = [
      "kubernetes",
      "claim",
      "name",
      // Those of a claim that is adopted are as they were.
      ...(news.adopt ? ["labels", "annotations"] : []),
    ];
    const told = inputKeys.filter((key) => !untold.includes(key));
    const isChanged = told.some(
      (key) => containsUnknown(news[key]) || !sameValue(olds[key] ?? null, news[key] ?? null),
    );
    return Promise.resolve(planOf(olds, news, replaces, isChanged));
  },

  async create(inputs) {
    return { id: inputs.name, outs: await bind(inputs, {}) };
  },

  async update(_id, olds, news) {
    return { outs: await bind(news, olds) };
  },

  async read(id, recorded) {
    const props = requireRecorded("ObjectBucket", id, recorded);
    const client = await connectKubernetes(props.kubernetes ?? {});
    const outs = outputsOf({ ...props, drift: await driftOf(client, props) });
    return refreshed(id, outs, inputKeys);
  },

  async delete(_id, { kubernetes, owner, claim, name, adopt, resource }) {
    const client = await connectKubernetes(kubernetes ?? {});
    if (adopt) {
      const object = {
        kubernetes,
        kind: objectBucketClaimKind,
        namespace: claim.namespace,
        name: claim.name,
      };
      refuseAdoptedSuccession(claim, resource, writersOfRun.writerOf(object));
    }
    const found = await client.get(objectBucketClaimKind, claim);
    // The first of the claim that goes: what another stack has by now is told nothing, and nothing of it goes.
    refuseOthersMark(objectBucketClaimKind, claim, found, claim.uid, { owner, kubernetes });
    await tellReleased(client, claim, name);
  },
});

async function bind(inputs: BindingInputs, olds: Partial<BindingInputs>): Promise<BindingOutputs> {
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  if (inputs.adopt) {
    await requireBound(client, inputs);
    return outputsOf({ ...inputs, phase: "Bound", drift: [] });
  }
  let isWritten = false;
  try {
    const found = await client.get(objectBucketClaimKind, inputs.claim);
    if (found === undefined) {
      throw new RefusedError(
        `${describe(objectBucketClaimKind, inputs.claim)} does not exist; run \`pulumi refresh\``,
      );
    }
    requireUid(objectBucketClaimKind, inputs.claim, found, inputs.claim.uid);
    const { uid } = await writeObjectBucket(client, inputs, olds);
    isWritten = true;
    await writePhase(client, objectBucketKind, { name: inputs.name, uid }, "Bound", inputs.dialect);
    await changeObject(client, objectBucketClaimKind, inputs.claim, (object) =>
      object.metadata.uid !== inputs.claim.uid || readClaim(object).objectBucketName === inputs.name
        ? undefined
        : { spec: { objectBucketName: inputs.name } },
    );
    await tellError(client, inputs.claim, null);
    // Last: a claim that is bound has all.
    await writePhase(client, objectBucketClaimKind, inputs.claim, "Bound", inputs.dialect);
  } catch (error) {
    if (!isWritten && isRefusal(error)) throw error;
    // The ObjectBucket may be there: kept in the state, so that the next command finds it.
    const outputs = outputsOf({ ...inputs, phase: "Pending", drift: ["not bound completely"] });
    throw new FailedResourceError(errorText(error), inputs.name, { ...inputs, ...outputs }, { cause: error });
  }
  return outputsOf({ ...inputs, phase: "Bound", drift: [] });
}

async function requireBound(client: KubernetesClient, { claim, name }: BindingInputs): Promise<void> {
  const found = await client.get(objectBucketKind, { name });
  if (found !== undefined && isOfClaim(readObjectBucket(found), claim.uid)) return;
  throw new RefusedError(
    `${describe(objectBucketKind, { name })} of ${describe(objectBucketClaimKind, claim)}, which is adopted, is gone: recreate ` +
      "it as it was, or remove the claim from the program",
  );
}

async function driftOf(client: KubernetesClient, props: BindingOutputs): Promise<string[]> {
  const { claim, name, adopt } = props;
  const found = await client.get(objectBucketKind, { name });
  const drift = adopt && found !== undefined ? [] : objectBucketDrift(found, props);
  for (const difference of drift) warn(objectBucketKind.kind, name, difference);
  const object = await client.get(objectBucketClaimKind, claim);
  // Of a claim that is lost, its own resource tells.
  if (object?.metadata.uid !== claim.uid) return drift;
  const { phase, phaseText, objectBucketName } = readClaim(object);
  // OBC-099: what has failed since it was bound was mended, or the next run says it again.
  if (!adopt && phase === "Bound" && object.metadata.annotations?.[lastErrorAnnotation] !== undefined)
    drift.push(`claim's annotation ${lastErrorAnnotation} tells of an error, and its phase is Bound`);
  if (phase !== "Bound") drift.push(`claim's phase is ${JSON.stringify(phaseText)}`);
  if (!adopt && objectBucketName !== name)
    drift.push(`claim's spec.objectBucketName is ${JSON.stringify(objectBucketName)}`);
  return drift;
}

function outputsOf(outputs: BindingOutputs): BindingOutputs {
  const all = {
    kubernetes: targetOutput(outputs.kubernetes),
    owner: outputs.owner,
    resource: outputs.resource,
    claim: outputs.claim,
    name: outputs.name,
    labels: outputs.labels ?? null,
    annotations: outputs.annotations ?? null,
    provisioner: outputs.provisioner,
    storageClassName: outputs.storageClassName,
    reclaimPolicy: outputs.reclaimPolicy,
    endpoint: outputs.endpoint,
    additionalState: outputs.additionalState,
    dialect: outputs.dialect,
    adopt: outputs.adopt,
    phase: outputs.phase,
    drift: outputs.drift ?? [],
    schemaVersion: stateFormat,
  };
  return all;
}
