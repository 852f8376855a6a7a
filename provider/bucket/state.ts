import type { AccessMode, AnonymousAccess, BucketInfo, Protocol } from "../contracts/contract";
import { wordsOf } from "../contracts/registry";
import { addressOutput } from "../credentials/address-output";
import { referenceOutput } from "../driver-resource/driver-reference";
import type { DriverReference } from "../driver-resource/reference";
import { digest } from "../dynamic/digest";
import { FailedResourceError } from "../dynamic/failed";
import { maskParameters, withSecretParameters } from "../dynamic/secret-input";
import { containsUnknown } from "../dynamic/values";
import { stateFormat } from "../dynamic/state-format";
import type { BucketObjects } from "../models/model";
import { objectsOutput } from "../models/objects";
import type { RevokeNotFound } from "../run/revoke-outcome";
import type { OwnedObject } from "../run/run-ownership";
import { accountOutputs, type BucketAccount, type BucketAccountOutputs } from "./account-state";

/** What becomes of a bucket in the backend when its resource is deleted or replaced. */
export type DeletionPolicy = "Retain" | "Delete";

/** What a change of a bucket's parameters does where it makes no other bucket. */
export type ParametersChange = "resend" | "refuse";

export const deletionPolicies: readonly string[] = ["Retain", "Delete"] satisfies DeletionPolicy[];

export interface BucketInputs {
  driver: DriverReference;
  logicalName: string;
  parent?: string;
  /** Filled in by check. */
  name?: string;
  /** The name was computed by check, so that nobody else sends it; absent in the states of early versions. */
  nameComputed?: boolean;
  parameters?: Record<string, string>;
  /** The program marked a parameter as secret. */
  secretParameters?: boolean;
  /** The program marked name or id as secret; check alone asks for it. */
  nameIsSecret?: boolean;
  /** What a change of the parameters does. @default it makes another bucket */
  parametersChange?: ParametersChange;
  protocol?: Protocol;
  anonymousAccess?: AnonymousAccess;
  /** What the bucket's account may do, for a contract whose buckets come with one. */
  accessMode?: AccessMode;
  deletionPolicy?: DeletionPolicy;
  /** The policy is the program's own word, not the copy of a class. @default false */
  ownDeletionPolicy?: boolean;
  deleteTimeoutSeconds?: number;
  /** The create is done once the driver says that what it made can be used. @default false */
  waitUntilReady?: boolean;
  /** Longest wait for that. @default 600 */
  readyTimeoutSeconds?: number;
  existingBucketId?: string;
  /** What is known of a bucket that exists, by the names of the contract's fields. */
  bucketIdentifier?: Record<string, string>;
  revokeNotFound?: RevokeNotFound;
  nameAsId?: boolean;
  protectData?: boolean;
  bucketClassName?: string;
  objects?: BucketObjects;
  /** In words, filled in by check: the preview of a destroy shows inputs and asks no provider. */
  onDelete?: string;
}

/** What check makes of the inputs. */
export interface CheckedInputs extends BucketInputs {
  name: string;
  deletionPolicy: DeletionPolicy;
  protectData: boolean;
  onDelete: string;
}

export interface BucketOutputs extends CheckedInputs, BucketAccountOutputs {
  /** `null` while a create has no known outcome. */
  bucketId: string | null;
  bucketInfo: BucketInfo | null;
  /** The bucket may have been made by somebody else: it was taken over by `nameAsId`, and is never deleted. */
  adopted: boolean;
  /** What was changed behind Pulumi's back, as a refresh found it; the next `up` restores it. */
  drift?: string[] | null;
  /** The claim that the bucket was made for, in words, once a refresh has found it gone; absent in early states. */
  lostClaim?: string | null;
  /** Nothing was made: a failed create whose object has kept our finalizer. */
  nothingMade?: boolean;
  /** Other parameters were sent, and the driver may have taken them. */
  parametersUnsettled?: boolean;
  /** It was made, and its driver did not say that it is ready. */
  notReady?: boolean;
  schemaVersion: typeof stateFormat;
}

export const inputKeys = [
  "driver",
  "logicalName",
  "parent",
  "name",
  "nameComputed",
  "parameters",
  "secretParameters",
  "parametersChange",
  "protocol",
  "anonymousAccess",
  "accessMode",
  "deletionPolicy",
  "ownDeletionPolicy",
  "deleteTimeoutSeconds",
  "waitUntilReady",
  "readyTimeoutSeconds",
  "existingBucketId",
  "bucketIdentifier",
  "revokeNotFound",
  "nameAsId",
  "protectData",
  "bucketClassName",
  "objects",
  "onDelete",
] as const satisfies readonly (keyof BucketInputs)[];

/** What a create gave. */
export type MadeBucket = Pick<BucketOutputs, "bucketId" | "bucketInfo" | "adopted"> & BucketAccount;

/** A bucket whose id is known. */
export type KnownBucket = MadeBucket & { bucketId: string };

/** True if deleting the resource deletes the bucket: only what we made, and only where the user said so. */
export function deletesInBackend({ deletionPolicy, existingBucketId, adopted }: BucketOutputs): boolean {
  return deletionPolicy === "Delete" && existingBucketId === undefined && !adopted;
}

/** What a create sends, by which a driver tells buckets of one name apart. */
type BucketTerms = Pick<
  BucketInputs,
  "driver" | "parameters" | "protocol" | "accessMode" | "anonymousAccess" | "existingBucketId"
>;

/**
 * The bucket among those of the run; one whose create has no known outcome is known by its name only. As it may hold data,
 * its name counts as an id at all times.
 */
export function ownedBucket(
  { name, ...inputs }: BucketTerms & { readonly name: string },
  bucketId: string | null,
): OwnedObject {
  const { driver, parameters = {}, protocol, accessMode = "rw", anonymousAccess = "private" } = inputs;
  const terms = [parameters, protocol, accessMode, anonymousAccess];
  return {
    driver,
    ids: [[name], ...(bucketId === null ? [] : [[bucketId]])],
    ...(inputs.existingBucketId !== undefined || containsUnknown(terms) ? {} : { terms: digest(terms) }),
  };
}

/** Inputs as check returned them; at `up` everything is known. */
export function checked(inputs: BucketInputs): CheckedInputs {
  maskParameters(inputs);
  const { name, deletionPolicy, protectData, onDelete } = inputs;
  if (
    name === undefined ||
    deletionPolicy === undefined ||
    protectData === undefined ||
    onDelete === undefined
  ) {
    throw new Error(
      `the ${wordsOf(inputs.driver).object} ${inputs.logicalName} comes without the values that check fills in`,
    );
  }
  return { ...inputs, name, deletionPolicy, protectData, onDelete };
}

/** What the state keeps of a bucket. */
export function outputsOf(inputs: CheckedInputs, made: MadeBucket): BucketOutputs {
  const { objects } = inputs;
  return {
    ...withSecretParameters(inputs),
    ...(objects === undefined ? {} : { objects: objectsOutput(objects) }),
    driver: referenceOutput(inputs.driver),
    bucketId: made.bucketId,
    bucketInfo: addressOutput(made.bucketInfo),
    adopted: made.adopted,
    ...accountOutputs(inputs, made),
    drift: null,
    lostClaim: null,
    schemaVersion: stateFormat,
  };
}

/** The error with which a bucket stays in the state as failed. @param made `null`: no outcome is known. */
export function keptAsFailed(
  inputs: CheckedInputs,
  made: KnownBucket | null,
  message: string,
  cause?: unknown,
): FailedResourceError {
  const outputs = outputsOf(inputs, made ?? { bucketId: null, bucketInfo: null, adopted: false });
  return new FailedResourceError(message, inputs.name, { ...outputs }, { cause });
}
