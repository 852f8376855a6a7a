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
import * as february from "./cosi-2020-02/kinds";
import { cosi202002Model } from "./cosi-2020-02/model";
import * as july from "./cosi-2020-07/kinds";
import { cosi202007Model } from "./cosi-2020-07/model";
import * as deployment from "./deployment/kinds";
import { deploymentModel } from "./deployment/model";
import { modelName as objectBucketModelName } from "./objectbucket/kinds";
import { objectBucketModel } from "./objectbucket/model";
import { objectstorageV1alpha1 } from "./objectstorage-v1alpha1/model";

const models = new Map<string, Model>([
  ["objectstorage.k8s.io/v1alpha1", objectstorageV1alpha1],
  [objectBucketModelName, objectBucketModel],
]);

function modelNamed(name: string): Model {
  const model = models.get(name) ?? inGroup(name);
  if (model !== undefined) return model;
  throw new Error(
    `the API model ${name} is not known to this release of pulumi-cosi (it knows ${knownNames().join(", ")}); ` +
      "install the release that wrote the state",
  );
}

/** The models whose group the program chooses. */
const inAnyGroup = [
  { ...july, model: cosi202007Model },
  { ...february, model: cosi202002Model },
  { ...deployment, model: deploymentModel },
];

function inGroup(name: string): Model | undefined {
  for (const { groupOfModel, model } of inAnyGroup) {
    const group = groupOfModel(name);
    if (group !== undefined) return model(group);
  }
  return undefined;
}

function knownNames(): string[] {
  const inTheirGroup = inAnyGroup.map(({ modelNameOf, defaultGroup }) => modelNameOf(defaultGroup));
  return [...models.keys(), ...inTheirGroup];
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

/** What the kinds of a model are called that ask for something. @throws Error for a model that this release does not know. */
export function requestsOf(model: string): Model["requests"] {
  return modelNamed(model).requests;
}

/** True if the classes of a model name the driver that serves them. @throws Error for a model that is not known. */
export function namesProvisioners(model: string): boolean {
  return modelNamed(model).namesProvisioners;
}

/**
 * True if a contract fits the model by whether its buckets come with an account.
 *
 * @throws Error for a model that is not known.
 */
export function takesGrantsAtCreate(model: string, grantsAtCreate: boolean): boolean {
  const wanted = modelNamed(model).grantsAtCreate;
  return wanted === "either" || wanted === grantsAtCreate;
}

/** How the data of a bucket is kept whose replacement is refused. @throws Error for a model that this release does not know. */
export function wayToKeepData(model: string): string {
  return modelNamed(model).wayToKeepData;
}

/** The definitions of a model's kinds. @throws Error for a model that this release does not know. */
export function definitionsOf(model: string): readonly CustomResourceDefinition[] {
  return modelNamed(model).definitions;
}
