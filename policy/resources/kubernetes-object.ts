import { textAt, type Properties } from "./properties";

/** An object of an API model that @pulumi/kubernetes writes. */
export interface KubernetesObject {
  /** `objectstorage.k8s.io`. */
  readonly group: string;
  readonly kind: string;
  /** A component of this package writes it; otherwise the program does so by itself. */
  readonly ofComponent: boolean;
}

/** Groups of the API models, where the program gives none of its own. */
const groups = ["objectstorage.k8s.io", "cosi.io", "platform.plural.sh", "objectbucket.io"];

const storageGroup = "storage.k8s.io";
/** Provisioners of buckets: those that serve other volumes have StorageClasses too. */
const bucketProvisioner = /objectbucket\.io\/|\.ceph\.rook\.io\/bucket$|\.noobaa\.io\/obc$/;

const typeForm = /^kubernetes:([^:/]+)\/[^:/]+:([^:]+)$/;

/**
 * The object of an API model that a resource stands for. What a component of this package writes is one whatever its group,
 * which the program may choose; what the program writes by itself is one by its group.
 *
 * @param parents Types of the resources that it belongs to, the outermost first.
 */
export function kubernetesObjectOf(
  type: string,
  parents: readonly string[],
  properties: Properties,
): KubernetesObject | undefined {
  const [, group, kind] = typeForm.exec(type) ?? [];
  if (group === undefined || kind === undefined) return undefined;
  const ofComponent = parents.some((parent) => parent.startsWith("cosi:"));
  const isOne =
    ofComponent ||
    groups.includes(group) ||
    (group === storageGroup && bucketProvisioner.test(textAt(properties, "provisioner") ?? ""));
  return isOne ? { group, kind, ofComponent } : undefined;
}
