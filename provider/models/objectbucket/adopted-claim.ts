import * as pulumi from "@pulumi/pulumi";
import { rememberCredentials } from "../../credentials/remember";
import { CheckFailures } from "../../dynamic/check-failures";
import { hosted } from "../../dynamic/hosted";
import { DynamicResource } from "../../dynamic/resource";
import { isRecord, secretOutput } from "../../dynamic/values";
import { stateFormat } from "../../dynamic/state-format";
import { connectKubernetes } from "../../kubernetes/client";
import { decoded } from "../../kubernetes/data-object-form";
import type { DeepInput } from "../../kubernetes/deep-input";
import { identityChanges, keepUid } from "../../kubernetes/identity";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import {
  configMapKind,
  describe,
  pathOf,
  secretKind,
  type KubernetesKind,
  type KubernetesObject,
} from "../../kubernetes/object";
import { requireOwnedByUid } from "../../kubernetes/ownership";
import { planOf, refreshed, requireRecorded } from "../../kubernetes/recorded";
import { secretForm } from "../../kubernetes/secret-object";
import { configureKubernetes, keepTarget, type KubernetesTarget } from "../../kubernetes/target";
import { targetOutput } from "../../kubernetes/target-output";
import { accountStateKey, cephUserKey } from "./additional-state";
import { objectBucketFault } from "./adoptable";
import { refuseAdoptedReplacement } from "./adoption";
import { objectBucketClaimKind, objectBucketKind } from "./kinds";
import { isOfClaim, readObjectBucket, type ClaimReference } from "./records";

/** Inputs of {@link AdoptedClaim}. */
export interface AdoptedClaimArgs {
  kubernetes: DeepInput<KubernetesTarget>;
  claim: DeepInput<ClaimReference>;
  objectBucketName: pulumi.Input<string>;
  secretName: pulumi.Input<string>;
  configMapName: pulumi.Input<string>;
}

interface AdoptedInputs {
  kubernetes?: KubernetesTarget | null | undefined;
  claim: ClaimReference;
  objectBucketName: string;
  secretName: string;
  configMapName: string;
}

interface AdoptedOutputs extends AdoptedInputs {
  accountId: string;
  accessKeyId: string;
  secretAccessKey: string;
  secretData: Record<string, string>;
  configMapData: Record<string, string>;
  endpoint: {
    host: string;
    port: number;
    ssl: boolean;
    bucketName: string;
    region: string;
    subRegion: string;
  };
  additionalState: Record<string, string>;
}

/**
 * What a claim that is adopted has: account, keys, and the content of its objects, read once and never changed. A resource of
 * its own, so that all of it stays known in the previews of whatever takes it.
 */
export class AdoptedClaim extends DynamicResource {
  /** Id of the account, as the ObjectBucket tells it. */
  declare readonly accountId: pulumi.Output<string>;
  /** Secret. */
  declare readonly accessKeyId: pulumi.Output<string>;
  /** Secret. */
  declare readonly secretAccessKey: pulumi.Output<string>;
  /** All that the Secret holds. Secret. */
  declare readonly secretData: pulumi.Output<Record<string, string>>;
  declare readonly configMapData: pulumi.Output<Record<string, string>>;
  declare readonly endpoint: pulumi.Output<AdoptedOutputs["endpoint"]>;
  declare readonly additionalState: pulumi.Output<Record<string, string>>;

  /** @internal */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/cosi/objectbucket:AdoptedClaim";

  constructor(name: string, args: AdoptedClaimArgs, opts?: pulumi.CustomResourceOptions) {
    const outputs = {
      accountId: undefined,
      accessKeyId: undefined,
      secretAccessKey: undefined,
      secretData: undefined,
      configMapData: undefined,
      endpoint: undefined,
      additionalState: undefined,
    };
    const file = "models/objectbucket/adopted-claim";
    const first = pulumi.mergeOptions(
      {
        deleteBeforeReplace: true,
        additionalSecretOutputs: ["accessKeyId", "secretAccessKey", "secretData"],
      },
      opts,
    );
    super("cosi/objectbucket", "AdoptedClaim", file, name, { ...outputs, ...args }, first);
  }
}

const inputKeys = [
  "kubernetes",
  "claim",
  "objectBucketName",
  "secretName",
  "configMapName",
] as const satisfies readonly (keyof AdoptedInputs)[];

/** Logic of {@link AdoptedClaim}, called by Pulumi's host. */
export const provider = hosted<AdoptedInputs, AdoptedOutputs>({
  configure: configureKubernetes,

  check(olds, news) {
    return Promise.resolve(
      new CheckFailures().result({
        ...news,
        kubernetes: keepTarget(olds.kubernetes, news.kubernetes) ?? null,
        claim: keepUid(olds.claim, news.claim),
      }),
    );
  },

  diff(_id, olds, news) {
    const replaces = identityChanges(olds, news, [
      "claim",
      "objectBucketName",
      "secretName",
      "configMapName",
    ]);
    // `--replace` does not ask the claim, but asks what takes its UID, before anything is deleted.
    if (replaces.includes("claim")) refuseAdoptedReplacement(olds.claim, ["claim"]);
    return Promise.resolve(planOf(olds, news, replaces, false));
  },

  async create(inputs) {
    return { id: pathOf(inputs.claim), outs: outputsOf({ ...inputs, ...(await readAll(inputs)) }) };
  },

  update(_id, olds, news) {
    return Promise.resolve({ outs: outputsOf({ ...olds, ...news }) });
  },

  read(id, recorded) {
    const props = requireRecorded("AdoptedClaim", id, recorded);
    return Promise.resolve(refreshed(id, outputsOf(props), inputKeys));
  },

  delete() {
    return Promise.resolve();
  },
});

type Adopted = Omit<AdoptedOutputs, keyof AdoptedInputs>;

/** @throws RefusedError for what is not there, is about to go, is not the claim's, or has no keys. */
async function readAll(inputs: AdoptedInputs): Promise<Adopted> {
  const { claim, objectBucketName } = inputs;
  const client = await connectKubernetes(inputs.kubernetes ?? {});
  const owned = async (kind: KubernetesKind, name: string) => {
    const reference = { namespace: claim.namespace, name };
    const found = await client.get(kind, reference);
    if (found === undefined) throw missing(inputs, `${describe(kind, reference)} does not exist`);
    requireOwnedByUid(kind, found, { ...claim, kind: objectBucketClaimKind.kind });
    const { deletionTimestamp } = found.metadata;
    if (deletionTimestamp === undefined) return found;
    throw missing(inputs, `${describe(kind, reference)} is being deleted since ${deletionTimestamp}`);
  };
  const secretData = decoded(secretForm, await owned(secretKind, inputs.secretName));
  rememberCredentials(secretData);
  const configMapData = textsIn(await owned(configMapKind, inputs.configMapName));
  const object = await client.get(objectBucketKind, { name: objectBucketName });
  const record = object === undefined ? undefined : readObjectBucket(object);
  if (record === undefined || !isOfClaim(record, claim.uid)) {
    throw missing(inputs, `${describe(objectBucketKind, { name: objectBucketName })} does not exist`);
  }
  const fault = objectBucketFault(record);
  if (fault !== undefined) {
    throw missing(inputs, `${describe(objectBucketKind, { name: objectBucketName })} ${fault}`);
  }
  const accessKeyId = secretData["AWS_ACCESS_KEY_ID"] ?? secretData["ACCESS_KEY_ID"] ?? "";
  const secretAccessKey = secretData["AWS_SECRET_ACCESS_KEY"] ?? secretData["SECRET_ACCESS_KEY"] ?? "";
  if (accessKeyId === "" || secretAccessKey === "") {
    const where = describe(secretKind, { namespace: claim.namespace, name: inputs.secretName });
    throw missing(inputs, `${where} has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
  }
  const { host, port, bucketName, region, subRegion } = record.endpoint;
  const { additionalState } = record;
  return {
    // Some operators tell no account: no call names it, so the ObjectBucket's name stands for it.
    accountId: additionalState[accountStateKey] ?? additionalState[cephUserKey] ?? objectBucketName,
    accessKeyId,
    secretAccessKey,
    secretData,
    configMapData,
    endpoint: { host, port: port ?? 80, ssl: isSecure(configMapData, port), bucketName, region, subRegion },
    additionalState,
  };
}

/** What operators write tells nothing of TLS, but by its port. */
function isSecure({ S3_BUCKET_SSL: told }: Record<string, string>, port: number | undefined): boolean {
  return told === undefined ? port === 443 : told === "yes";
}

function missing({ claim }: AdoptedInputs, text: string): RefusedError {
  return new RefusedError(
    `adopt is true, and ${describe(objectBucketClaimKind, claim)} cannot be taken as it is: ${text}. Next: mend that, or leave the ` +
      "claim with whoever made it",
  );
}

function textsIn(object: KubernetesObject): Record<string, string> {
  const data = object["data"];
  return Object.fromEntries(
    Object.entries(isRecord(data) ? data : {}).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

function outputsOf(outputs: AdoptedOutputs): AdoptedOutputs {
  const { claim, objectBucketName, secretName, configMapName, accountId, configMapData } = outputs;
  const all = {
    kubernetes: targetOutput(outputs.kubernetes),
    claim,
    objectBucketName,
    secretName,
    configMapName,
    accountId,
    accessKeyId: secretOutput(outputs.accessKeyId),
    secretAccessKey: secretOutput(outputs.secretAccessKey),
    secretData: secretOutput(outputs.secretData),
    configMapData,
    endpoint: outputs.endpoint,
    additionalState: outputs.additionalState,
    schemaVersion: stateFormat,
  };
  return all;
}
