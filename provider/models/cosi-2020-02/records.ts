import type { AccessMode } from "../../contracts/contract";
import { isRecord } from "../../dynamic/values";
import type { KubernetesObject } from "../../kubernetes/object";
import { readProtocol, type ApiProtocol, type ReleasePolicy } from "../cosi-proposals/protocols";
import { bucketAnnotation, createSentAnnotation, endSentAnnotation, finalizer } from "./kinds";
import { protocolBlocks, type BucketClassCopy, type SecretReference } from "./specs";

/** A condition of a Bucket or a BucketContent. */
export interface Condition {
  readonly type: string;
  readonly status: string;
}

/** What Bucket and BucketContent have in common. */
export interface StatusRecord {
  readonly phase: string;
  readonly message: string;
  readonly isProtected: boolean;
  /** The condition `Deleting` has the status `True`. */
  readonly isDeleting: boolean;
  readonly deletionTimestamp: string | undefined;
}

/** What a Bucket object says. */
export interface BucketRecord extends StatusRecord {
  readonly requestProtocol: string;
  readonly bucketContentName: string;
}

/** What a BucketContent object says; fields that are absent, or of another type than the schema has, read as empty. */
export interface ContentRecord extends StatusRecord {
  readonly name: string;
  readonly uid: string;
  readonly provisioner: string;
  readonly releasePolicy: ReleasePolicy;
  /** The Bucket that it was made for, as the annotation records it. */
  readonly bucket: string | undefined;
  readonly bucketRef: Readonly<Record<string, string>>;
  readonly secretRef: SecretReference | undefined;
  readonly protocol: ApiProtocol | undefined;
  /** The block of its protocol. */
  readonly protocolFields: Readonly<Record<string, string>>;
  readonly createSent: boolean;
  readonly endSent: boolean;
}

/** Reads a Bucket object. */
export function readBucket(object: KubernetesObject): BucketRecord {
  const spec = recordOf(object["spec"]);
  const status = recordOf(object["status"]);
  return {
    ...readStatus(object),
    requestProtocol: text(spec["requestProtocol"]),
    bucketContentName: text(status["bucketContentName"]),
  };
}

/** Reads a BucketContent object. */
export function readContent(object: KubernetesObject): ContentRecord {
  const { name, uid = "", annotations = {} } = object.metadata;
  const spec = recordOf(object["spec"]);
  const protocol = readProtocol(spec["protocol"]);
  return {
    ...readStatus(object),
    name,
    uid,
    provisioner: text(spec["provisioner"]),
    releasePolicy: spec["releasePolicy"] === "Delete" ? "Delete" : "Retain",
    bucket: annotations[bucketAnnotation],
    bucketRef: texts(spec["bucketRef"]),
    secretRef: reference(spec["secretRef"]),
    protocol,
    protocolFields: protocol === undefined ? {} : texts(spec[protocolBlocks[protocol]]),
    createSent: annotations[createSentAnnotation] !== undefined,
    endSent: annotations[endSentAnnotation] !== undefined,
  };
}

/** Reads what a Bucket takes from a BucketClass object. */
export function readClass(object: KubernetesObject): BucketClassCopy {
  const provisioner = text(object["provisioner"]);
  const identifier = texts(object["bucketIdentifier"]);
  const supported = object["supportedProtocols"];
  return {
    name: object.metadata.name,
    provisioner: provisioner === "" ? null : provisioner,
    supportedProtocols: Array.isArray(supported) ? supported.map(text) : [],
    accessMode: accessModeOf(object["accessMode"]),
    releasePolicy: object["releasePolicy"] === "Delete" ? "Delete" : "Retain",
    bucketIdentifier: Object.keys(identifier).length === 0 ? null : identifier,
    secretRef: reference(object["secretRef"]) ?? null,
    parameters: texts(object["parameters"]),
  };
}

/** Conditions of an object, as they stand. */
export function conditionsOf(object: KubernetesObject): readonly Record<string, unknown>[] {
  const { conditions } = recordOf(object["status"]);
  return Array.isArray(conditions) ? conditions.filter(isRecord) : [];
}

function readStatus(object: KubernetesObject): StatusRecord {
  const status = recordOf(object["status"]);
  return {
    phase: text(status["phase"]),
    message: text(status["message"]),
    isProtected: object.metadata.finalizers?.includes(finalizer) === true,
    isDeleting: conditionsOf(object).some(
      ({ type, status: value }) => type === "Deleting" && value === "True",
    ),
    deletionTimestamp: object.metadata.deletionTimestamp,
  };
}

function accessModeOf(value: unknown): AccessMode {
  return value === "ro" || value === "wo" ? value : "rw";
}

function reference(value: unknown): SecretReference | undefined {
  const { namespace, name } = texts(value);
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).flatMap(([key, entry]) =>
      typeof entry === "string" ? [[key, entry]] : [],
    ),
  );
}
