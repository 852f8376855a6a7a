import { DriverGrantBucketAccessResponse } from "../../../../gen/cosi.v1alpha1/cosi/v1alpha1/cosi";
import { isRecord } from "../../../../provider/dynamic/values";
import { secretKind, type KubernetesObject } from "../../../../provider/kubernetes/object";
import {
  apiVersion,
  bucketAccessKind,
  modelName,
} from "../../../../provider/models/objectstorage-v1alpha1/kinds";
import { paths } from "../../cosi-v1alpha1";
import { objectStorageKinds } from "../../end-to-end/cluster";
import { dataOf, withoutClasses, type FoundAccess, type Subject } from "../subject";
import { commands } from "./commands";
import { programText } from "./program";

/** Claims of objectstorage.k8s.io/v1alpha1, by a driver of `cosi.v1alpha1`. */
export const objectStorage: Subject = {
  name: "objectstorage-v1alpha1",
  model: modelName,
  apiVersion,
  kinds: objectStorageKinds,
  rpcPaths: paths,
  commands,
  namespaces: (namespace) => [namespace],
  programText,
  steady: (text, choice) => withoutClasses(text, choice).replaceAll(rotatedName, "$1"),
  accesses: (objects) =>
    objects.filter(({ kind }) => kind === bucketAccessKind.kind).map((access) => found(access, objects)),
  secretsOfReply(rpc, reply) {
    if (rpc !== "grant") return [];
    const { credentials } = DriverGrantBucketAccessResponse.decode(reply);
    return [...credentials.values()].flatMap(({ secrets }) => [...secrets]);
  },
};

/** The name of an account after a rotation ends with what is random. */
const rotatedName = /(-r\d+)-[0-9a-f]{6}\b/g;

function found(access: KubernetesObject, objects: readonly KubernetesObject[]): FoundAccess {
  const secret = objects.find(
    ({ kind, metadata }) =>
      kind === secretKind.kind && metadata.name === textOf(access["spec"], "credentialsSecretName"),
  );
  return { user: textOf(access["status"], "accountID"), keysInSecrets: [keyIn(secret)] };
}

function textOf(record: unknown, field: string): string {
  return isRecord(record) ? String(record[field]) : "";
}

function keyIn(secret: KubernetesObject | undefined): string | undefined {
  const text = dataOf(secret, "BucketInfo");
  if (text === undefined) return undefined;
  const info = JSON.parse(text) as { spec: { secretS3: { accessKeyID: string } | null } };
  return info.spec.secretS3?.accessKeyID;
}
