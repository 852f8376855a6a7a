import { CreateBucketResponse, GrantBucketAccessResponse } from "../../../../gen/cosi-2020-02/cosi/v1/cosi";
import { secretKind, type KubernetesObject } from "../../../../provider/kubernetes/object";
import { defaultGroup, kindsOf, modelNameOf } from "../../../../provider/models/cosi-2020-02/kinds";
import { readContent } from "../../../../provider/models/cosi-2020-02/records";
import { paths } from "../../cosi-2020-02";
import { OwnStore } from "../own-store";
import { dataOf, withoutClasses, type FoundAccess, type ProgramChoice, type Subject } from "../subject";
import { commands } from "./commands";
import { guestNamespace, programText, secretNames, sourceNamespace } from "./program";

const kinds = kindsOf(defaultGroup);

/** Buckets of the COSI proposal of 2020-02-27, by a driver of its contract. */
export const proposal202002: Subject = {
  name: "cosi-2020-02",
  model: modelNameOf(defaultGroup),
  module: "cosi20200227",
  apiVersion: kinds.apiVersion,
  kinds: [kinds.bucketClass, kinds.bucket, kinds.bucketContent],
  rpcPaths: paths,
  startBackend: () => OwnStore.start(),
  commands,
  namespaces: (namespace) => [namespace, guestNamespace(namespace), sourceNamespace(namespace)],
  programText,
  steady,
  accesses: (objects) =>
    objects.filter(({ kind }) => kind === kinds.bucketContent.kind).map((content) => found(content, objects)),
  secretsOfReply(rpc, reply) {
    switch (rpc) {
      case "create": {
        const { Protocol } = CreateBucketResponse.decode(reply);
        return Object.entries((Protocol?.$case === "S3" ? Protocol.value.Authentication : undefined) ?? {});
      }
      case "grant": {
        const { Protocol } = GrantBucketAccessResponse.decode(reply);
        return Object.entries(Protocol?.$case === "S3" ? Protocol.value : {});
      }
      default:
        return [];
    }
  },
};

/** Users are named by the bucket, keys are random, and what was read at the binding has another version in each run. */
const unsteady = /"(userName|accessKeyId|resourceVersion|revision)":"[^"]+"/g;

function steady(text: string, choice: ProgramChoice): string {
  return withoutClasses(text, choice)
    .replaceAll(secretNames.moved, secretNames.first)
    .replace(unsteady, '"$1":"some"');
}

/** The key is in both Secrets, and the BucketContent says which one it is. */
function found(content: KubernetesObject, objects: readonly KubernetesObject[]): FoundAccess {
  const { bucketRef, secretRef, protocolFields } = readContent(content);
  const secrets = objects.filter(({ kind }) => kind === secretKind.kind);
  const source = secrets.find(
    ({ metadata }) => metadata.namespace === secretRef?.namespace && metadata.name === secretRef?.name,
  );
  const copy = secrets.find(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === bucketRef["uuid"]),
  );
  return {
    user: protocolFields["userName"],
    keysInSecrets: [
      dataOf(source, "accessKeyId"),
      dataOf(copy, "accessKeyId"),
      protocolFields["accessKeyId"],
    ],
  };
}
