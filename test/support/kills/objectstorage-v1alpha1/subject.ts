import { DriverGrantBucketAccessResponse } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import type { KubernetesObject } from "../../../../provider/kubernetes/object";
import {
  apiVersion,
  bucketAccessKind,
  modelName,
} from "../../../../provider/models/objectstorage-v1alpha1/kinds";
import { paths } from "../../cosi-v1alpha1";
import { objectStorageKinds } from "../../end-to-end/cluster";
import { accessesOf, claimedCommands, secretsOfGrant, steadyClaims } from "../claimed";
import { OwnStore } from "../own-store";
import { dataOf, type Subject } from "../subject";
import { programText } from "./program";

/** Claims of objectstorage.k8s.io/v1alpha1, by a driver of `cosi.v1alpha1`. */
export const objectStorage: Subject = {
  name: "objectstorage-v1alpha1",
  model: modelName,
  module: "objectstorage",
  apiVersion,
  kinds: objectStorageKinds,
  rpcPaths: paths,
  startBackend: () => OwnStore.start(),
  commands: claimedCommands,
  namespaces: (namespace) => [namespace],
  programText,
  steady: steadyClaims,
  accesses: accessesOf(bucketAccessKind, (secret) => [keyIn(secret)]),
  secretsOfReply: secretsOfGrant((reply) => DriverGrantBucketAccessResponse.decode(reply)),
};

function keyIn(secret: KubernetesObject | undefined): string | undefined {
  const text = dataOf(secret, "BucketInfo");
  if (text === undefined) return undefined;
  const info = JSON.parse(text) as { spec: { secretS3: { accessKeyID: string } | null } };
  return info.spec.secretS3?.accessKeyID;
}
