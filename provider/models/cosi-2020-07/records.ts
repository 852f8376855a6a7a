import { isRecord } from "../../dynamic/values";
import type { AnonymousAccess } from "../../contracts/contract";
import type { KubernetesObject } from "../../kubernetes/object";
import {
  contextAnnotation,
  createSentAnnotation,
  finalizer,
  grantingAnnotation,
  requestAnnotation,
} from "./kinds";
import {
  readAccessMode,
  type AccessClassCopy,
  type BucketClassCopy,
  type PermittedNamespace,
  type ProtocolFields,
} from "./specs";
import {
  bucketNameField,
  readProtocol,
  type ApiProtocol,
  type ReleasePolicy,
} from "../cosi-proposals/protocols";

/** Who has access to a Bucket, or is getting it: the bindings, and those that will be. */
export function usersOf({ bindings, granting }: BucketRecord): readonly string[] {
  return [...new Set([...bindings, ...granting])];
}

/** What a Bucket object says; fields that are absent, or of another type than the schema has, read as empty. */
export interface BucketRecord {
  readonly name: string;
  readonly uid: string;
  readonly provisioner: string;
  readonly releasePolicy: ReleasePolicy;
  readonly anonymousAccessMode: AnonymousAccess;
  readonly bucketClassName: string;
  readonly bindings: readonly string[];
  /** Bindings that grants which are under way will be. */
  readonly granting: readonly string[];
  readonly permittedNamespaces: readonly PermittedNamespace[];
  /** `undefined` for an object that the schema should not have let pass. */
  readonly protocol: ApiProtocol | undefined;
  readonly protocolFields: ProtocolFields;
  /** The backend's name of the bucket. */
  readonly bucketName: string;
  readonly parameters: Record<string, string>;
  readonly phase: string;
  readonly message: string;
  /** `<namespace>/<name>/<uid>` of the request that it was made for; `undefined` for one of an admin. */
  readonly request: string | undefined;
  /** What the driver wants back, as JSON; `undefined` if it told nothing. */
  readonly providerContext: string | undefined;
  readonly createSent: boolean;
  readonly isProtected: boolean;
  readonly deletionTimestamp: string | undefined;
}

/** Reads a Bucket object. */
export function readBucket(object: KubernetesObject): BucketRecord {
  const { metadata } = object;
  const spec = recordOf(object["spec"]);
  const status = recordOf(object["status"]);
  const protocol = recordOf(spec["protocol"]);
  const signature = readProtocol(protocol["protocolSignature"]);
  const fields = signature === undefined ? {} : texts(protocol[signature]);
  return {
    name: metadata.name,
    uid: metadata.uid ?? "",
    provisioner: text(spec["provisioner"]),
    releasePolicy: spec["releasePolicy"] === "Delete" ? "Delete" : "Retain",
    anonymousAccessMode: readAccessMode(spec["anonymousAccessMode"]) ?? "private",
    bucketClassName: text(spec["bucketClassName"]),
    bindings: list(spec["bindings"]).filter((entry) => typeof entry === "string"),
    granting: Object.entries(metadata.annotations ?? {}).flatMap(([key, value]) =>
      key.startsWith(grantingAnnotation) ? [value] : [],
    ),
    permittedNamespaces: namespaces(spec["permittedNamespaces"]),
    protocol: signature,
    protocolFields: fields,
    bucketName: signature === undefined ? "" : (fields[bucketNameField(signature)] ?? ""),
    parameters: texts(spec["parameters"]),
    phase: text(status["phase"]),
    message: text(status["message"]),
    request: metadata.annotations?.[requestAnnotation],
    providerContext: metadata.annotations?.[contextAnnotation],
    createSent: metadata.annotations?.[createSentAnnotation] !== undefined,
    isProtected: metadata.finalizers?.includes(finalizer) === true,
    deletionTimestamp: metadata.deletionTimestamp,
  };
}

/** Phase and message of an object. */
export function readStatus(object: KubernetesObject): { readonly phase: string; readonly message: string } {
  const status = recordOf(object["status"]);
  return { phase: text(status["phase"]), message: text(status["message"]) };
}

/** Reads a BucketClass object; `undefined` where its protocol is none of the proposal's. */
export function readBucketClass(object: KubernetesObject): BucketClassCopy | undefined {
  const protocol = readProtocol(object["protocol"]);
  if (protocol === undefined) return undefined;
  return {
    name: object.metadata.name,
    provisioner: text(object["provisioner"]),
    protocol,
    releasePolicy: object["releasePolicy"] === "Delete" ? "Delete" : "Retain",
    anonymousAccessMode: readAccessMode(object["anonymousAccessMode"]) ?? "private",
    additionalPermittedNamespaces: namespaces(object["additionalPermittedNamespaces"]),
    parameters: texts(object["parameters"]),
  };
}

/** Reads a BucketAccessClass object; `undefined` where its protocol is none of the proposal's. */
export function readAccessClass(object: KubernetesObject): AccessClassCopy | undefined {
  const protocol = readProtocol(object["protocol"]);
  if (protocol === undefined) return undefined;
  const actions = recordOf(object["policyActions"]);
  const named = (key: "allow" | "deny"): object => {
    const known = list(actions[key]).filter((entry) => typeof entry === "string");
    return known.length === 0 ? {} : { [key]: known };
  };
  const policyActions = { ...named("allow"), ...named("deny") };
  return {
    name: object.metadata.name,
    provisioner: text(object["provisioner"]),
    protocol,
    policyActions: Object.keys(policyActions).length === 0 ? null : policyActions,
    parameters: texts(object["parameters"]),
  };
}

function namespaces(value: unknown): PermittedNamespace[] {
  return list(value)
    .filter(isRecord)
    .map(({ name, uid }) => ({ name: text(name), uid: typeof uid === "string" && uid !== "" ? uid : null }));
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
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
