import { textAt, type Properties } from "./properties";

/** An object of an API model that @pulumi/kubernetes writes. */
export interface KubernetesObject {
  /** That of the object, also where the resource is a patch of it. */
  readonly kind: string;
  /** A component of this package writes it; otherwise the program does so by itself. */
  readonly ofComponent: boolean;
  /** It changes some fields of an object that is there: `BucketClassPatch`. */
  readonly isPatch: boolean;
}

/** Groups of the API models, where the program gives none of its own. */
const groups = ["objectstorage.k8s.io", "cosi.io", "platform.plural.sh", "objectbucket.io"];

const storageGroup = "storage.k8s.io";
/** Provisioners of buckets: those that serve other volumes have StorageClasses too. Source: OBC-035, OBC-036. */
const bucketProvisioner =
  /objectbucket\.io\/|ceph\.rook\.io\/(bucket|object(-provisioner)?)$|(^|\.)noobaa\.io\/obc$/;

const typeForm = /^kubernetes:([^:/]+)\/[^:/]+:([^:]+?)(Patch)?$/;

/**
 * The object of an API model that a resource stands for. What a component of this package writes is one whatever its group,
 * which the program may choose; what the program writes by itself is one by its group, wherever it belongs.
 *
 * @param parents Types of the resources that it belongs to, the outermost first.
 */
export function kubernetesObjectOf(
  type: string,
  parents: readonly string[],
  properties: Properties,
): KubernetesObject | undefined {
  const [, group, kind, patch] = typeForm.exec(type) ?? [];
  if (group === undefined || kind === undefined) return undefined;
  const ofComponent = kindWrittenBy(parents.at(-1) ?? "") === kind;
  const isOne =
    ofComponent ||
    groups.includes(group) ||
    (group === storageGroup && bucketProvisioner.test(textAt(properties, "provisioner") ?? ""));
  return isOne ? { kind, ofComponent, isPatch: patch !== undefined } : undefined;
}

const componentForm = /^cosi:(?:objectstorage|objectbucket|deployment|cosi20200708|cosi20200227):(\w+)$/;

/**
 * The kind of API object that a component of this package writes by @pulumi/kubernetes, if it writes one: it is called as the
 * component. Whatever else belongs to a component, the program has put there.
 *
 * @param component Its type. Those of the plugin's resources, `cosi:index:Bucket`, are none of components.
 */
export function kindWrittenBy(component: string): string | undefined {
  const [, name] = componentForm.exec(component) ?? [];
  return name === "BucketMirror" ? "Bucket" : name;
}
