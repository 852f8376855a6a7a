import { CheckFailures } from "../../dynamic/check-failures";
import { errorText } from "../../dynamic/error-text";
import { FailedResourceError } from "../../dynamic/failed";
import type { WholeProvider } from "../../dynamic/hosted";
import { isRecord, isUnknown, sameValue } from "../../dynamic/values";
import { connectKubernetes, type KubernetesClient } from "../../kubernetes/client";
import { addFinalizers, removeFinalizers } from "../../kubernetes/finalizers";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { keepResource } from "../../kubernetes/kept-name";
import { isRefusal, RefusedError } from "../../kubernetes/kubernetes-error";
import { requireNotTerminating, requireUid } from "../../kubernetes/metadata";
import { refuseForeign, requireOfStack } from "../../kubernetes/foreign-object";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { ofOurs, refuseForeignSuccessor } from "../../kubernetes/successor";
import { configureKubernetes, keepTarget } from "../../kubernetes/target";
import { noteProtection } from "../../run/given-up";
import { noteClaim } from "../../run/untold-claims";
import { warn } from "../../run/warning";
import { heldDeletion, terminatingNotes } from "../terminating";
import { deleteMadeBucket, madeBucketDrift, writeMadeBucket } from "./made-bucket";
import {
  bindingInputKeys,
  bindingOutputs,
  isStatic,
  keptCopy,
  type BindingInputs,
  type BindingOutputs,
} from "./binding-state";
import type { ClaimedApi } from "./claimed-api";
import { refuseForeignAccesses } from "./foreign-accesses";
import { markBound, requireBindable, unmarkBound } from "./static-binding";
import { bucketStatus, claimStatus, claimStatusFields } from "./status";

/**
 * What the binding of an API model has of its own.
 *
 * @typeParam Own Its inputs beside those that every binding has.
 */
export interface BindingKind<Own> {
  /** Type name of the resource. */
  readonly resource: string;
  readonly ownKeys: readonly (keyof Own & string)[];
  /** The own inputs out of all of them. */
  readonly own: (inputs: Own) => Own;
  readonly apiOf: (inputs: Own) => ClaimedApi;
  /** Name of the Bucket object of a claim that has none yet. */
  readonly bucketNameOf: (inputs: Own, claimUid: string, className: string) => string;
  /** What is wrong with the own inputs beside a class. @default nothing */
  readonly judge?: (failures: CheckFailures, inputs: Own, className: string) => void;
}

/**
 * The Bucket object of a claim: protects the claim by its finalizer, settles which Bucket it gets and that this name is not
 * somebody else's, keeps what the claim took from its class, and writes the object. It is deleted after the bucket, first the
 * object, then the claim's finalizer. A static Bucket was written before its claim, and goes by itself.
 *
 * Its id is the name of the Bucket object, which is also the name that the driver gets: an id stays known in the preview of
 * an update, where an output does not.
 *
 * @returns Its logic, with the names of its properties that {@link BindingInputs} has.
 */
export function bindingLogic<Own extends object>(
  kind: BindingKind<Own>,
): WholeProvider<BindingInputs & Own, BindingOutputs & Own> {
  type Inputs = BindingInputs & Own;
  type Outputs = BindingOutputs & Own;

  const outputsOf = (outputs: Outputs): Outputs => ({ ...bindingOutputs(outputs), ...kind.own(outputs) });

  /** A claim that names its Bucket already keeps it, whatever the name would be now: OS1-031. */
  async function settleBucketName(
    client: KubernetesClient,
    inputs: Inputs,
    claim: KubernetesObject,
  ): Promise<string> {
    const api = kind.apiOf(inputs);
    if (isStatic(inputs)) {
      const bucket = await requireBindable(client, api, inputs.existingBucketName, inputs.claim);
      if (!bucketStatus(api, bucket).ready) {
        throw new RefusedError(
          `${describe(api.kinds.bucket, bucket.metadata)} is not ready (status.${api.fields.ready})`,
        );
      }
      return inputs.existingBucketName;
    }
    const name = recordedBucketName(inputs, claim);
    await refuseForeign(client, api.kinds.bucket, { name }, [inputs]);
    return name;
  }

  /** The name that the claim has for its Bucket already, or will have; nothing is looked up. */
  function recordedBucketName(inputs: Inputs, claim: KubernetesObject): string {
    if (isStatic(inputs)) return inputs.existingBucketName;
    const recorded = claimStatus(kind.apiOf(inputs), claim).bucketName;
    return recorded === ""
      ? kind.bucketNameOf(inputs, inputs.claim.uid, inputs.bucketClass?.name ?? "")
      : recorded;
  }

  /** @returns UID of the Bucket object; `null` for a static one. */
  async function makeBucket(
    client: KubernetesClient,
    name: string,
    writers: readonly [Inputs, ...Inputs[]],
    uid?: string | null,
  ): Promise<string | null> {
    const [inputs] = writers;
    return isStatic(inputs) ? null : writeMadeBucket(client, kind.apiOf(inputs), name, writers, uid);
  }

  async function bucketDrift(client: KubernetesClient, props: Outputs): Promise<string[]> {
    if (isStatic(props)) return [];
    const api = kind.apiOf(props);
    return madeBucketDrift(api, await client.get(api.kinds.bucket, { name: props.bucketName }), props);
  }

  /** The error with which a binding whose finalizer is on stays in the state: its deletion takes the finalizer off. */
  function keptAsFailed(
    inputs: Inputs,
    bucketName: string,
    message: string,
    cause?: unknown,
  ): FailedResourceError {
    const properties: Record<string, unknown> = {};
    Object.assign(properties, inputs, outputsOf({ ...inputs, bucketName, drift: ["not bound"] }));
    return new FailedResourceError(message, bucketName, properties, { cause });
  }

  return {
    configure: configureKubernetes,

    check(olds, news) {
      const failures = new CheckFailures();
      const { bucketClass, protectData } = news;
      noteProtection(olds.claim, protectData);
      noteClaim(kind.apiOf(news).kinds.claim, olds.claim, news.claim);
      if (isRecord(bucketClass) && !isUnknown(bucketClass.name)) {
        kind.judge?.(failures, news, bucketClass.name);
      }
      return Promise.resolve(
        failures.result({
          ...keepResource(olds, news),
          kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
          claim: keepUid(olds.claim, news.claim),
          // OS1-011, DEP-092.
          bucketClass: keptCopy(olds, news),
          bucketFields: olds.bucketFields ?? news.bucketFields ?? null,
        }),
      );
    },

    diff(_id, olds, news) {
      const replaces = identityChanges<BindingInputs>(olds, news, ["claim", "existingBucketName"]);
      if (!sameValue(olds.bucketClass?.name, news.bucketClass?.name)) replaces.push("bucketClass");
      const isChanged = !sameValue(olds.owner, news.owner);
      return Promise.resolve(planOf(olds, news, replaces, isChanged));
    },

    async create(inputs) {
      const { claim } = inputs;
      const { kinds, finalizers } = kind.apiOf(inputs);
      const client = await connectKubernetes(inputs.kubernetes ?? {});
      const found = await requireClaim(client, kinds.claim, inputs);
      const held = heldDeletion(kinds.claim, found, finalizers.claim);
      if (held !== undefined) throw keptAsFailed(inputs, recordedBucketName(inputs, found), held);
      requireNotTerminating(kinds.claim, claim, found);
      const bucketName = await settleBucketName(client, inputs, found);
      const outs = { ...inputs, bucketName, drift: [] };
      let protectedNow = false;
      try {
        await addFinalizers(client, kinds.claim, claim, claim.uid, [finalizers.claim], found);
        protectedNow = true;
        await bindStatic(client, kind.apiOf(inputs), outs);
        return {
          id: bucketName,
          outs: outputsOf({ ...outs, bucketUid: await makeBucket(client, bucketName, [inputs]) }),
        };
      } catch (error) {
        if (!protectedNow && isRefusal(error)) throw error;
        // The finalizer is on, or may be: the resource stays in the state, and its deletion takes it off.
        throw keptAsFailed(inputs, bucketName, errorText(error), error);
      }
    },

    async update(_id, olds, news) {
      const { kinds, finalizers } = kind.apiOf(news);
      const client = await connectKubernetes(news.kubernetes ?? {});
      const outs = { ...news, bucketName: olds.bucketName, drift: [] };
      await addFinalizers(client, kinds.claim, news.claim, news.claim.uid, [finalizers.claim]);
      await bindStatic(client, kind.apiOf(news), outs);
      const bucketUid = await makeBucket(client, olds.bucketName, [news, olds], olds.bucketUid ?? null);
      return { outs: outputsOf({ ...outs, bucketUid }) };
    },

    async read(id, recorded) {
      const props = requireRecorded(kind.resource, id, recorded);
      const api = kind.apiOf(props);
      const claimKind = api.kinds.claim;
      const client = await connectKubernetes(props.kubernetes ?? {});
      const found = await client.get(claimKind, props.claim);
      const same = found?.metadata.uid === props.claim.uid;
      // What has lost its claim stays in the state: the next one has another UID, and before it is bound the delete of this one
      // takes the Bucket with it. It stops before @pulumi/kubernetes deletes a claim of somebody else.
      const drift = same
        ? [...driftOf(api, found, props), ...(await bucketDrift(client, props))]
        : [
            `the ${claimKind.kind} ${found === undefined ? "is gone" : "of this name is not the one of this stack"}`,
          ];
      if (same) for (const note of terminatingNotes(claimKind, found)) warn(note.kind, note.name, note.text);
      const outs = outputsOf({ ...props, drift });
      return refreshed(id, outs, [...bindingInputKeys, ...kind.ownKeys]);
    },

    async delete(_id, props) {
      const { claim, bucketName } = props;
      const api = kind.apiOf(props);
      const claimKind = api.kinds.claim;
      const client = await connectKubernetes(props.kubernetes ?? {});
      const present = await client.get(claimKind, claim);
      const found = refuseForeignSuccessor(claimKind, claim, present, claim.uid, props);
      // OS1-072: a static claim has no bucket of its own, whose deletion would ask.
      if (found !== undefined) await refuseForeignAccesses(client, api, claim, props, "claim");
      if (isStatic(props)) await unmarkBound(client, api, bucketName, claim);
      else await deleteMadeBucket(client, api, props);
      if (found === undefined) return;
      // Whichever has the name: @pulumi/kubernetes deletes that.
      const isOurs = ofOurs(claim.uid, props);
      await removeFinalizers(client, claimKind, claim, isOurs, [api.finalizers.claim], found);
    },
  };
}

function driftOf(api: ClaimedApi, claim: KubernetesObject, props: BindingOutputs): string[] {
  const { kinds, finalizers, words } = api;
  const whose = `${kinds.claim.kind}'s`;
  const drift: string[] = [];
  if (claim.metadata.finalizers?.includes(finalizers.claim) !== true) {
    drift.push(`${whose} finalizer ${finalizers.claim} is missing`);
  }
  const { bucketName, ready } = claimStatus(api, claim);
  if (isStatic(props) && (bucketName !== props.bucketName || !ready)) {
    drift.push(`${whose} status does not say that the ${words.bucket} is ready`);
  }
  return drift;
}

async function requireClaim(
  client: KubernetesClient,
  kind: ClaimedApi["kinds"]["claim"],
  inputs: BindingInputs,
): Promise<KubernetesObject> {
  const { claim } = inputs;
  const found = await client.get(kind, claim);
  if (found === undefined) {
    throw new RefusedError(
      `${describe(kind, claim)} does not exist; \`pulumi refresh\` and \`pulumi up\` make it again`,
    );
  }
  requireUid(kind, claim, found, claim.uid);
  requireOfStack(kind, found, [inputs], null);
  return found;
}

/** A static Bucket is ready before its claim is: nothing but the claim's status is left to write. */
async function bindStatic(client: KubernetesClient, api: ClaimedApi, outs: BindingOutputs): Promise<void> {
  if (!isStatic(outs)) return;
  const { claim, bucketName } = outs;
  await requireBindable(client, api, bucketName, claim);
  await markBound(client, api, bucketName, claim);
  await client.patchStatus(api.kinds.claim, claim, claimStatusFields(api, { bucketName, ready: true }));
}
