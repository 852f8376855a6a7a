import type { CustomResourceDefinition } from "../kubernetes/definition";
import type {
  AccessObjects,
  AccessObserver,
  BucketObjects,
  BucketObserver,
  CreateRequest,
  Model,
  SecretObjects,
  SecretObserver,
} from "./model";
import { objectstorageV1alpha1 } from "./objectstorage-v1alpha1/model";

const models = new Map<string, Model>([["objectstorage.k8s.io/v1alpha1", objectstorageV1alpha1]]);

function modelNamed(name: string): Model {
  const model = models.get(name);
  if (model !== undefined) return model;
  throw new Error(
    `the API model ${name} is not known to this release of pulumi-cosi (it knows ${[...models.keys()].join(", ")}); ` +
      "install the release that wrote the state",
  );
}

/**
 * What to do to the objects around a bucket.
 *
 * @param request What its create call asks for.
 * @throws Error for a model that this release does not know.
 */
export function observeBucket(objects: BucketObjects, request: CreateRequest): BucketObserver {
  return modelNamed(objects.model).observeBucket(objects, request);
}

/** What to do to the objects around an access. @throws Error for a model that this release does not know. */
export function observeAccess(objects: AccessObjects): AccessObserver {
  return modelNamed(objects.model).observeAccess(objects);
}

/** What to do when a Secret of credentials is written. @throws Error for a model that this release does not know. */
export function observeSecret(objects: SecretObjects): SecretObserver {
  return modelNamed(objects.model).observeSecret(objects);
}

/** The definitions of a model's kinds. @throws Error for a model that this release does not know. */
export function definitionsOf(model: string): readonly CustomResourceDefinition[] {
  return modelNamed(model).definitions;
}
