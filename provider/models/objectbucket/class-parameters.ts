import { isRecord } from "../../dynamic/values";
import { RefusedError } from "../../kubernetes/kubernetes-error";
import { objectNameProblem } from "../../kubernetes/names";
import { describe, type KubernetesObject } from "../../kubernetes/object";
import { provisionerPrefix, storageClassKind } from "./kinds";

/** What becomes of a bucket when its claim goes. */
export type ReclaimPolicy = "Delete" | "Retain";

/** The values of {@link ReclaimPolicy}, for checks. */
export const reclaimPolicies: readonly ReclaimPolicy[] = ["Retain", "Delete"];

/** What a claim takes from its StorageClass when it is made. Plain JSON, kept in the state. */
export interface StorageClassCopy {
  readonly name: string;
  readonly provisioner: string;
  readonly reclaimPolicy: ReclaimPolicy;
  readonly parameters: Record<string, string>;
  /** The program marked a parameter as secret. */
  readonly secretParameters?: boolean | null;
}

/** What a claim keeps of its class; the provisioner it has of its own, as it has to be that of its driver. */
export type ClaimClass = Omit<StorageClassCopy, "provisioner">;

/**
 * A StorageClass of the cluster, as a claim takes it. Where it has no policy it means `Delete`, as the API server fills in.
 *
 * @throws RefusedError for a policy that no bucket can have: OBC-030.
 */
export function readStorageClass(object: KubernetesObject): StorageClassCopy {
  const { provisioner, reclaimPolicy = "Delete", parameters } = object;
  const { name } = object.metadata;
  const policy = reclaimPolicies.find((known) => known === reclaimPolicy);
  if (policy === undefined) {
    throw new RefusedError(
      `${describe(storageClassKind, { name })} has reclaimPolicy ${JSON.stringify(reclaimPolicy)}, and a bucket is kept or ` +
        "deleted: name a class with Retain or Delete",
    );
  }
  return {
    name,
    provisioner: typeof provisioner === "string" ? provisioner : "",
    reclaimPolicy: policy,
    parameters: textsOf(parameters),
  };
}

function textsOf(map: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(isRecord(map) ? map : {})) {
    if (typeof text === "string") texts[key] = text;
  }
  return texts;
}

type Parameters = Readonly<Record<string, string>>;

/** The object store of a class, by the names that the design has for it: OBC-034. One that is empty is none. */
export function objectStoreOf(parameters: Parameters): { name?: string; namespace?: string } {
  const name = filled(parameters, "objectStoreName") ?? filled(parameters, "objectStore");
  const namespace = filled(parameters, "objectStoreNamespace");
  return { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
}

/** What is wrong with the parameters of a class that name an object store, or `undefined`: OBC-034. Values may be secret. */
export function objectStoreProblem(parameters: Parameters): string | undefined {
  const alias = filled(parameters, "objectStore");
  const name = filled(parameters, "objectStoreName");
  if (alias === undefined || name === undefined || alias === name) return undefined;
  return "parameters give two values for the same thing, as objectStore and as objectStoreName: leave objectStore out";
}

/** A bucket that was there before its class. */
export interface BrownfieldBucket {
  /** As clients name it. */
  readonly bucketName: string;
  /** As the driver names it. */
  readonly bucketId: string;
}

/** The bucket that a class names; `undefined` for a class from which buckets are made: OBC-069, OBC-070. */
export function brownfieldBucketOf(parameters: Parameters): BrownfieldBucket | undefined {
  const bucketName = filled(parameters, "bucketName");
  if (bucketName === undefined) return undefined;
  return { bucketName, bucketId: filled(parameters, "bucketID") ?? bucketName };
}

function filled(parameters: Parameters, key: string): string | undefined {
  const value = parameters[key];
  return value === "" ? undefined : value;
}

/** The provisioner of a class whose claims a driver serves: OBC-036. The name of some drivers has a slash, which it cannot have. */
export function provisionerOfDriver(driverName: string): string {
  return `${provisionerPrefix}${driverName.replaceAll("/", "-")}`;
}

/** The part of a qualified name behind its domain. Source: Kubernetes, labels and selectors, syntax. */
const nameForm = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** What is wrong with the provisioner of a class, or `undefined`. Source: Kubernetes, StorageClass, `provisioner`. */
export function provisionerProblem(provisioner: string): string | undefined {
  const [name = "", domain, ...more] = provisioner.split("/").reverse();
  const isDomain = domain === undefined || objectNameProblem(domain.toLowerCase()) === undefined;
  if (more.length === 0 && nameForm.test(name) && isDomain) return undefined;
  return (
    `is ${JSON.stringify(provisioner)}: give a domain, a slash, and 1 to 63 letters, digits, "-", "_" and ".", letters or ` +
    "digits at the ends"
  );
}

/** Operators that serve claims by themselves, and the classes that each of them takes for its own. */
const operators: readonly { operator: string; serves: (provisioner: string) => boolean }[] = [
  // Its domain is `ceph.rook.io`, or that behind the operator's namespace or a prefix: `rook-ceph.ceph.rook.io`.
  { operator: "Rook", serves: (provisioner) => provisioner.endsWith("ceph.rook.io/bucket") },
  {
    operator: "NooBaa",
    serves: (provisioner) => provisioner === "noobaa.io/obc" || provisioner.endsWith(".noobaa.io/obc"),
  },
];

/** Why a class of this package should not have a provisioner, or `undefined`: OBC-036. */
export function operatorProvisionerProblem(provisioner: string): string | undefined {
  const found = operators.find(({ serves }) => serves(provisioner));
  if (found === undefined) return undefined;
  return (
    `is ${JSON.stringify(provisioner)}, whose claims the operator of ${found.operator} serves, so two would serve one ` +
    "claim: leave provisioner out, or give another one; where no such operator runs, give allowOperatorProvisioner: true"
  );
}

/** Provisioners that the design of 2019 writes. */
const designProvisioners: readonly string[] = ["ceph.rook.io/object", "ceph.rook.io/object-provisioner"];

/** What the user should know of a provisioner, or `undefined`: OBC-035. */
export function provisionerWarning(provisioner: string): string | undefined {
  if (!designProvisioners.includes(provisioner)) return undefined;
  return (
    `provisioner ${JSON.stringify(provisioner)} is that of the design, and no released operator serves it: Rook's is ` +
    '"<namespace of the operator>.ceph.rook.io/bucket"'
  );
}
