import { GrantBucketAccessResponse } from "../../../../gen/cosi-2020-07/cosi/v1/cosi";
import { secretKind, type KubernetesObject } from "../../../../provider/kubernetes/object";
import { defaultGroup, kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-07/kinds";
import { paths } from "../../cosi-2020-07";
import type { BackendAccount } from "../backend";
import { OwnStore } from "../own-store";
import { dataOf, withoutClasses, type FoundAccess, type Subject } from "../subject";
import { commands } from "./commands";
import { driverNamespace, guestNamespace, programText } from "./program";

const kinds = kindsOf(defaultGroup);

/** Requests of the COSI proposal of 2020-07-08, by a driver of its contract. */
export const proposal202007: Subject = {
  name: "cosi-2020-07",
  model: modelNameOf(defaultGroup),
  module: "cosi20200708",
  apiVersion: kinds.apiVersion,
  kinds: [
    kinds.bucketClass,
    kinds.bucketAccessClass,
    kinds.bucketRequest,
    kinds.bucket,
    kinds.bucketAccessRequest,
    kinds.bucketAccess,
  ],
  rpcPaths: paths,
  startBackend: () => OwnStore.start(),
  commands,
  namespaces: (namespace) => [namespace, guestNamespace(namespace), driverNamespace(namespace)],
  programText,
  steady: withoutClasses,
  accesses: (objects, accounts) =>
    Promise.all(
      objects
        .filter(({ kind }) => kind === kinds.bucketAccess.kind)
        .map((access) => found(access, objects, accounts)),
    ),
  secretsOfReply(rpc, reply) {
    if (rpc !== "grant") return [];
    const { creds } = GrantBucketAccessResponse.decode(reply);
    return creds.flatMap(({ credentials }) =>
      credentials?.$case === "genericCredentials" ? [...credentials.value.credentials] : [],
    );
  },
};

/** No object names the user: it is the one with the key. */
async function found(
  access: KubernetesObject,
  objects: readonly KubernetesObject[],
  accounts: readonly BackendAccount[],
): Promise<FoundAccess> {
  const spec = access["spec"] as Record<string, string>;
  const request = objects.find(
    ({ kind, metadata }) =>
      kind === kinds.bucketAccessRequest.kind &&
      metadata.namespace === spec["bucketAccessRequestNamespace"] &&
      metadata.name === spec["bucketAccessRequestName"],
  );
  const keysInSecrets = [access, request].map((owner) => {
    const secret = objects.find(
      ({ kind, metadata }) =>
        kind === secretKind.kind && metadata.ownerReferences?.some(({ uid }) => uid === owner?.metadata.uid),
    );
    return dataOf(secret, "accessKeyID");
  });
  return { user: await holderOf(keysInSecrets, accounts), keysInSecrets };
}

async function holderOf(
  keys: readonly (string | undefined)[],
  accounts: readonly BackendAccount[],
): Promise<string | undefined> {
  for (const { name, accepts } of accounts)
    for (const key of keys) if (key !== undefined && (await accepts(key))) return name;
  return undefined;
}
