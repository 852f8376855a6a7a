import { DriverGrantBucketAccessResponse } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { configMapKind, secretKind, type KubernetesObject } from "../../../../provider/kubernetes/object";
import { isOwnedByUid } from "../../../../provider/kubernetes/ownership";
import { accountStateKey, cephUserKey } from "../../../../provider/models/objectbucket/additional-state";
import {
  apiVersion,
  modelName,
  objectBucketClaimKind,
  objectBucketKind,
  storageClassKind,
} from "../../../../provider/models/objectbucket/kinds";
import { readObjectBucket } from "../../../../provider/models/objectbucket/records";
import { paths } from "../../cosi-v1alpha1";
import { OwnStore } from "../own-store";
import { dataOf, withoutClasses, type FoundAccess, type ProgramChoice, type Subject } from "../subject";
import { commands } from "./commands";
import { configOf, guestNamespace, programText } from "./program";

/** Object bucket claims, by a driver of `cosi.v1alpha1`. */
export const objectBuckets: Subject = {
  name: "objectbucket",
  model: modelName,
  module: "objectbucket",
  apiVersion,
  kinds: [storageClassKind, objectBucketClaimKind, objectBucketKind, configMapKind],
  rpcPaths: paths,
  startBackend: () => OwnStore.start(),
  commands,
  namespaces: (namespace) => [namespace, guestNamespace(namespace)],
  programText,
  steady,
  accesses: (objects) =>
    objects.filter(({ kind }) => kind === objectBucketKind.kind).map((bucket) => found(bucket, objects)),
  secretsOfReply(rpc, reply) {
    if (rpc !== "grant") return [];
    const { credentials } = DriverGrantBucketAccessResponse.decode(reply);
    return [...credentials.values()].flatMap(({ secrets }) => [...secrets]);
  },
};

/** The driver's ids of accounts have something random in them. */
const accountId = new RegExp(`"(${[accountStateKey, cephUserKey].join("|")})":"[^"]+"`, "g");

/** The name of an account after a rotation ends with what is random, and the UID before that is cut. */
const rotatedName = /-[0-9a-f]{8}-[0-9a-f-]{10,27}(-r\d+)-[0-9a-f]{6}\b/g;

/** Each lane has a store of its own, and the objects of a claim have its endpoint in parts. */
const port = /"(port|bucketPort|(?:S3_)?BUCKET_PORT)":"?\d+"?/g;

function steady(text: string, choice: ProgramChoice): string {
  return withoutClasses(text, choice)
    .replaceAll(`"maxSize":"${configOf(choice).maxSize}"`, '"maxSize":"as the program says"')
    .replace(accountId, '"$1":"some"')
    .replace(rotatedName, "$1")
    .replace(port, '"$1":"some"');
}

/** The key is in the Secret under the names of both worlds. */
function found(objectBucket: KubernetesObject, objects: readonly KubernetesObject[]): FoundAccess {
  const { claimRef, additionalState } = readObjectBucket(objectBucket);
  const secret = objects.find(
    (object) => object.kind === secretKind.kind && isOwnedByUid(object, claimRef?.uid ?? ""),
  );
  return {
    user: additionalState[accountStateKey],
    keysInSecrets: [dataOf(secret, "AWS_ACCESS_KEY_ID"), dataOf(secret, "ACCESS_KEY_ID")],
  };
}
