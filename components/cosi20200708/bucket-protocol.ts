import type * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../provider/dynamic/values";
import { protocolFields } from "../../provider/models/cosi-2020-07/specs";
import {
  apiProtocols,
  bucketNameField,
  type ApiProtocol,
} from "../../provider/models/cosi-proposals/protocols";
import { protocolNamed } from "../cosi-proposals/values";
import { asFound } from "../kubernetes/named-values";
import { ProblemError, quoted } from "../kubernetes/problem";

/** A container of Azure. */
export interface AzureBlobArgs {
  /** Name of the container, which is the bucket. */
  containerName: pulumi.Input<string>;
  /**
   * Storage account that it is in.
   *
   * @default none
   */
  storageAccount?: pulumi.Input<string>;
}

/** A bucket of a store that speaks S3. */
export interface S3Args {
  /** The backend's name of the bucket. */
  bucketName: pulumi.Input<string>;
  /**
   * URL of the store.
   *
   * @default none
   */
  endpoint?: pulumi.Input<string>;
  /**
   * Region of the bucket.
   *
   * @default none
   */
  region?: pulumi.Input<string>;
  /**
   * Version of the signatures: `V2` or `V4`.
   *
   * @default none
   */
  signatureVersion?: pulumi.Input<string>;
}

/** A bucket of Google Cloud Storage. */
export interface GcsArgs {
  /** The backend's name of the bucket. */
  bucketName: pulumi.Input<string>;
  /**
   * Name of a private key.
   *
   * @default none
   */
  privateKeyName?: pulumi.Input<string>;
  /**
   * Project that the bucket is in.
   *
   * @default none
   */
  projectId?: pulumi.Input<string>;
  /**
   * A service account.
   *
   * @default none
   */
  serviceAccount?: pulumi.Input<string>;
}

/** The protocol by which a bucket is reached, and where the bucket is: fill one member of three. */
export interface BucketProtocolArgs {
  /**
   * Which member is filled: `s3`, `gcs` or `azureBlob`.
   *
   * @default the one that is filled
   */
  protocolSignature?: pulumi.Input<string>;
  /**
   * A container of Azure.
   *
   * @default none: another member is filled
   */
  azureBlob?: pulumi.Input<AzureBlobArgs>;
  /**
   * A bucket of a store that speaks S3.
   *
   * @default none: another member is filled
   */
  s3?: pulumi.Input<S3Args>;
  /**
   * A bucket of Google Cloud Storage.
   *
   * @default none: another member is filled
   */
  gcs?: pulumi.Input<GcsArgs>;
}

/** A protocol, and the fields of its member. */
export interface BucketProtocol {
  readonly protocol: ApiProtocol;
  readonly fields: Record<string, string>;
}

/** K07-036, K07-046, K07-047: the one member that is filled. */
export function bucketProtocol(value: unknown): BucketProtocol {
  if (!isRecord(value))
    throw new ProblemError(`protocol ${asFound(value)}: give { s3: { bucketName } }, or another member`);
  const { protocolSignature, ...members } = value;
  const unknown = Object.keys(members).find((key) => !apiProtocols.some((known) => known === key));
  if (unknown !== undefined) {
    throw new ProblemError(
      `protocol has ${JSON.stringify(unknown)}: its members are ${quoted(apiProtocols)}`,
    );
  }
  const [protocol, ...others] = apiProtocols.filter((known) => (members[known] ?? undefined) !== undefined);
  if (protocol === undefined) {
    const wanted = protocolSignature === undefined ? "one" : protocolNamed(signature, protocolSignature);
    throw new ProblemError(
      `protocol has no member: fill ${wanted} of ${quoted(apiProtocols)}, with the bucket's name`,
    );
  }
  if (others.length > 0) {
    throw new ProblemError(`protocol has ${quoted([protocol, ...others])}: fill one of them only`);
  }
  if (protocolSignature !== undefined && protocolNamed(signature, protocolSignature) !== protocol) {
    throw new ProblemError(
      `${signature} is ${JSON.stringify(protocolSignature)}, and ${JSON.stringify(protocol)} is filled: fill the member of ` +
        "that name, or leave protocolSignature out",
    );
  }
  return { protocol, fields: fieldsOf(protocol, members[protocol]) };
}

const signature = "protocol.protocolSignature";

function fieldsOf(protocol: ApiProtocol, member: unknown): Record<string, string> {
  const where = `protocol.${protocol}`;
  if (!isRecord(member)) throw new ProblemError(`${where} ${asFound(member)}: give its fields`);
  const known = protocolFields[protocol];
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(member)) {
    if (!known.includes(key)) {
      throw new ProblemError(`${where} has ${JSON.stringify(key)}: its fields are ${quoted(known)}`);
    }
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string") throw new ProblemError(`${where}.${key} ${asFound(value)}: give a text`);
    fields[key] = value;
  }
  const nameField = bucketNameField(protocol);
  if (fields[nameField] === undefined) {
    throw new ProblemError(`${where}.${nameField} is missing: give the backend's name of the bucket`);
  }
  const { signatureVersion } = fields;
  if (signatureVersion !== undefined && !signatureVersions.includes(signatureVersion)) {
    throw new ProblemError(
      `${where}.signatureVersion is ${JSON.stringify(signatureVersion)}: give one of ${quoted(signatureVersions)}`,
    );
  }
  return fields;
}

const signatureVersions: readonly string[] = ["V2", "V4"];
