import { isRecord } from "../../provider/dynamic/values";
import type { KubernetesKind, KubernetesObject } from "../../provider/kubernetes/object";
import {
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../provider/models/objectbucket/kinds";

/** The command cannot go on; the message says why, and what to do. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

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
  const objects = texts.flatMap(objectsIn);
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

function objectsIn({ source, text }: ListText): KubernetesObject[] {
  const list = parsed(text);
  const items = isRecord(list) && Array.isArray(list["items"]) ? list["items"] : [list];
  const objects = items.filter(isObject);
  if (items.length > 0 && objects.length === 0) {
    throw new ImportError(`${source} is no list of objects as kubectl get -o json writes it`);
  }
  return objects;
}

/** What the parser says of an error is not told: it quotes the text, which may hold anything. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}

function isOfKind({ apiVersion, kind }: KubernetesObject, wanted: KubernetesKind): boolean {
  return apiVersion === wanted.apiVersion && kind === wanted.kind;
}
