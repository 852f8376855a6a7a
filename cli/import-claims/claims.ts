import { RefusedError } from "../../provider/kubernetes/kubernetes-error";
import { pathOf, type KubernetesObject } from "../../provider/kubernetes/object";
import { ownerAnnotation } from "../../provider/kubernetes/ownership";
import {
  objectStoreOf,
  readStorageClass,
  type StorageClassCopy,
} from "../../provider/models/objectbucket/class-parameters";
import { objectBucketFault } from "../../provider/models/objectbucket/adoptable";
import { objectBucketNameOf, provisionerLabel } from "../../provider/models/objectbucket/names";
import { isOfClaim, readClaim, readObjectBucket } from "../../provider/models/objectbucket/records";
import type { ClusterLists } from "./cluster-lists";
import { resourceNames } from "./resource-names";

/** A claim as the program declares it: arguments of `ObjectBucketClaim`, beside `resource`. */
export interface ImportedClaim {
  /** Name in the program. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly storageClassName: string;
  readonly bucketName: string;
  readonly objectBucketNaming?: "hashed";
  readonly additionalConfig?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What operators write into Secret and ConfigMap. */
  readonly keySets: readonly ["rook"];
}

/** A claim that cannot be taken, and why. */
export interface ClaimLeftOut {
  /** `<namespace>/<name>`. */
  readonly claim: string;
  readonly reason: string;
}

/** Which claims can be taken as they are. */
export interface TakenClaims {
  readonly taken: readonly ImportedClaim[];
  readonly leftOut: readonly ClaimLeftOut[];
  /** What the user should know, and stops nothing. */
  readonly warnings: readonly string[];
}

/** @param classes Names of the classes whose claims are wanted; empty for all. */
export function takeClaims(lists: ClusterLists, classes: readonly string[]): TakenClaims {
  const wanted = lists.claims.filter(
    (claim) => classes.length === 0 || classes.includes(readClaim(claim).storageClassName),
  );
  const judged = wanted.map((claim) => ({ claim, reason: whyNot(claim, lists.objectBuckets) }));
  const fit = judged.filter(({ reason }) => reason === undefined).map(({ claim }) => claim);
  const names = resourceNames(fit.map(nameOf));
  const taken = fit.map((claim, index) => importedClaim(claim, names[index] ?? ""));
  return {
    taken,
    leftOut: judged.flatMap(({ claim, reason }) =>
      reason === undefined ? [] : [{ claim: pathOf(claim.metadata), reason }],
    ),
    warnings: classWarnings(taken, lists.storageClasses),
  };
}

/** Why a claim cannot be taken as it is, or `undefined`. */
function whyNot(
  object: KubernetesObject,
  objectBuckets: readonly KubernetesObject[] | undefined,
): string | undefined {
  const claim = readClaim(object);
  const owner = object.metadata.annotations?.[ownerAnnotation];
  if (owner !== undefined) return `already belongs to the stack ${owner}`;
  if (claim.deletionTimestamp !== undefined) return `is being deleted since ${claim.deletionTimestamp}`;
  if (claim.phase !== "Bound") {
    const found = claim.phaseText === "" ? "no phase" : `the phase ${JSON.stringify(claim.phaseText)}`;
    return `has ${found}, and only a bound one can be taken: have its operator bind it first`;
  }
  if (claim.storageClassName === "") return "names no StorageClass (spec.storageClassName)";
  if (claim.bucketName === "") return "names no bucket (spec.bucketName)";
  if (claim.objectBucketName === "") return "names no ObjectBucket (spec.objectBucketName)";
  const name = nameOf(object);
  const known = [objectBucketNameOf(name), objectBucketNameOf(name, "hashed")];
  if (!known.includes(claim.objectBucketName)) {
    return `has the ObjectBucket ${claim.objectBucketName}, which is not called ${known.join(" or ")}`;
  }
  if (objectBuckets === undefined) return undefined;
  const objectBucket = objectBuckets.find(({ metadata }) => metadata.name === claim.objectBucketName);
  if (objectBucket === undefined) return `has no ObjectBucket: ${claim.objectBucketName} is not there`;
  const record = readObjectBucket(objectBucket);
  if (!isOfClaim(record, claim.uid)) {
    return `has the ObjectBucket ${claim.objectBucketName}, whose spec.claimRef does not have the UID of this claim`;
  }
  const fault = objectBucketFault(record, claim.bucketName);
  return fault === undefined ? undefined : `has the ObjectBucket ${claim.objectBucketName}, which ${fault}`;
}

function importedClaim(object: KubernetesObject, resource: string): ImportedClaim {
  const { storageClassName, bucketName, objectBucketName, additionalConfig } = readClaim(object);
  const { namespace, name } = nameOf(object);
  const isHashed = objectBucketName !== objectBucketNameOf({ namespace, name });
  const labels = without(object.metadata.labels, (key) => operatorLabels.includes(key));
  const annotations = without(object.metadata.annotations, isToolAnnotation);
  return {
    resource,
    namespace,
    name,
    storageClassName,
    bucketName,
    ...(isHashed ? { objectBucketNaming: "hashed" } : {}),
    ...(isEmpty(additionalConfig) ? {} : { additionalConfig }),
    ...(isEmpty(labels) ? {} : { labels }),
    ...(isEmpty(annotations) ? {} : { annotations }),
    keySets: ["rook"],
  };
}

function nameOf({ metadata }: KubernetesObject): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? "default", name: metadata.name };
}

/** Labels that operators put on claims. */
const operatorLabels: readonly string[] = [provisionerLabel, "noobaa-domain"];

/** Annotations that kubectl, Pulumi and this package put on objects. */
function isToolAnnotation(key: string): boolean {
  const [prefix = ""] = key.split("/");
  return ["kubectl.kubernetes.io", "pulumi.com", "pulumi-cosi"].includes(prefix);
}

type Texts = Readonly<Record<string, string>>;

function without(map: Texts | undefined, isLeftOut: (key: string) => boolean): Texts {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !isLeftOut(key)));
}

function isEmpty(map: Texts): boolean {
  return Object.keys(map).length === 0;
}

/**
 * True for a class that an operator makes whenever it is absent: `<namespace>.noobaa.io` of NooBaa, and that of OpenShift Data
 * Foundation for its object store of Ceph.
 */
function isMadeAgain(name: string, provisioner: string): boolean {
  const isOfNooBaa = provisioner.endsWith(".noobaa.io/obc") && provisioner === `${name}/obc`;
  return isOfNooBaa || (name.endsWith("-ceph-rgw") && provisioner.endsWith(".ceph.rook.io/bucket"));
}

/** A class, or why no bucket can be made by it. */
function readable(object: KubernetesObject): StorageClassCopy | RefusedError {
  try {
    return readStorageClass(object);
  } catch (error) {
    if (error instanceof RefusedError) return error;
    throw error;
  }
}

/** What of the classes does not fit a program with one driver. */
function classWarnings(
  claims: readonly ImportedClaim[],
  storageClasses: readonly KubernetesObject[] | undefined,
): string[] {
  if (storageClasses === undefined) return [];
  const names = [...new Set(claims.map(({ storageClassName }) => storageClassName))].sort();
  const stores = new Map<string, string[]>();
  const warnings: string[] = [];
  for (const name of names) {
    const found = storageClasses.find(({ metadata }) => metadata.name === name);
    if (found === undefined) {
      warnings.push(`StorageClass ${name} is not in the list; its claims are taken anyway`);
      continue;
    }
    const storageClass = readable(found);
    if (storageClass instanceof RefusedError) {
      warnings.push(storageClass.message);
      continue;
    }
    const { provisioner, parameters } = storageClass;
    if (isMadeAgain(name, provisioner)) {
      warnings.push(
        `StorageClass ${name} is made again by its operator whenever it is absent, so the operator serves the claims again as ` +
          "soon as it runs, and deletes their buckets with them: keep it stopped, or move the claims to a class of your own " +
          "first (docs/object-bucket-claims.md, Move in)",
      );
    }
    const store = objectStoreOf(parameters);
    const key = JSON.stringify([provisioner, store.namespace, store.name]);
    stores.set(key, [...(stores.get(key) ?? []), name]);
  }
  if (stores.size > 1) {
    const groups = [...stores.values()].map((classNames) => classNames.join(" and "));
    warnings.push(
      `the StorageClasses ${groups.join(", and ")} are of ${stores.size} object stores or provisioners, but the program has one ` +
        "driver: run the command once for each, with --class and a separate folder",
    );
  }
  return warnings;
}
