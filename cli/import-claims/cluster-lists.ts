import { isRecord } from "../../provider/dynamic/values";
import { pathOf, type KubernetesKind, type KubernetesObject } from "../../provider/kubernetes/object";
import {
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../provider/models/objectbucket/kinds";
import { ImportError } from "./import-error";
import { listing, parsedList } from "./list-text";

/** Text that `kubectl get -o json` has written, and where it comes from. */
export interface ListText {
  readonly source: string;
  readonly text: string;
}

/** What is known of the cluster. */
export interface ClusterLists {
  readonly claims: readonly KubernetesObject[];
  /** `undefined` where nobody has listed them. */
  readonly objectBuckets: readonly KubernetesObject[] | undefined;
  /** `undefined` where nobody has listed them. */
  readonly storageClasses: readonly KubernetesObject[] | undefined;
}

/**
 * Reads lists of objects, each of one kind or of several. Objects of other kinds are passed over: a Secret that was listed
 * with the claims goes no further than this.
 *
 * @throws ImportError for a text that is no list.
 */
export function readLists(
  claims: ListText,
  objectBuckets: ListText | undefined,
  storageClasses: ListText | undefined,
): ClusterLists {
  const texts = [claims, objectBuckets, storageClasses].filter((text) => text !== undefined);
  const objects = eachOnce(texts.flatMap(objectsIn));
  const listed = (kind: KubernetesKind, isListed: boolean): readonly KubernetesObject[] | undefined => {
    const found = objects.filter((object) => isOfKind(object, kind));
    return found.length > 0 || isListed ? found : undefined;
  };
  return {
    claims: listed(objectBucketClaimKind, true) ?? [],
    objectBuckets: listed(objectBucketKind, objectBuckets !== undefined),
    storageClasses: listed(storageClassKind, storageClasses !== undefined),
  };
}

const kinds = [objectBucketClaimKind, objectBucketKind, storageClassKind];

/**
 * An object that stands in more than one list, or twice in one, counts once.
 *
 * @throws ImportError where two are of one name, and not alike.
 */
function eachOnce(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const found = new Map<string, KubernetesObject>();
  for (const object of objects.filter((listed) => kinds.some((kind) => isOfKind(listed, kind)))) {
    const name = `${object.kind ?? ""} ${pathOf(object.metadata)}`;
    const other = found.get(name) ?? object;
    if (JSON.stringify(other) !== JSON.stringify(object)) {
      throw new ImportError(
        `${name} is listed twice, with different content: one of them is older, or from another cluster. Next: list all kinds at ` +
          `once, ${listing}`,
      );
    }
    found.set(name, object);
  }
  return [...found.values()];
}

function objectsIn({ source, text }: ListText): KubernetesObject[] {
  const list = parsedList(source, text);
  const items = isRecord(list) && Array.isArray(list["items"]) ? list["items"] : [list];
  const objects = items.filter(isObject);
  if (items.length > 0 && objects.length === 0) {
    throw new ImportError(
      `${source} is JSON, but not a list of objects as kubectl get -o json writes it. Next: ${listing}`,
    );
  }
  return objects;
}

function isObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}

function isOfKind({ apiVersion, kind }: KubernetesObject, wanted: KubernetesKind): boolean {
  return apiVersion === wanted.apiVersion && kind === wanted.kind;
}
