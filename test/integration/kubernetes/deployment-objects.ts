import { provider as definitions } from "../../../provider/kubernetes/custom-resource-definitions";
import { defaultGroup, kindsOf, modelNameOf } from "../../../provider/models/deployment/kinds";
import type { Cluster } from "./cluster";
import { createOwned, owner } from "./objects";

/** The kinds and the model that the tests write in. */
export const kinds = kindsOf(defaultGroup);
export const modelName = modelNameOf(defaultGroup);

/** Installs the five kinds, once per cluster. */
export async function installDeploymentKinds({ target }: Cluster): Promise<void> {
  await definitions.create({ kubernetes: target, model: modelName, owner });
}

/** A request, as its component writes it. */
export async function requestIn(
  cluster: Cluster,
  namespace: string,
  name = "orders",
  annotations?: Record<string, string>,
) {
  const created = await createOwned(cluster, kinds.deploymentRequest, {
    namespace,
    name,
    spec: { deploymentClassName: "small" },
    ...(annotations === undefined ? {} : { annotations }),
  });
  return { namespace, name, uid: created.metadata.uid };
}

/** A request with its Deployment object, as the components write them, and nothing of their status. */
export async function requestedDeployment(cluster: Cluster, namespace: string) {
  const claim = await requestIn(cluster, namespace);
  const deployment = await createOwned(cluster, kinds.deployment, {
    name: `deployment-${claim.uid}`,
    spec: {
      driverName: "cosi.example.com",
      deploymentClassName: "small",
      deploymentRequest: claim,
      deletionPolicy: "Delete",
    },
  });
  const { name, uid } = deployment.metadata;
  return { model: modelName, kubernetes: cluster.target, owner, claim, bucket: { name, uid } };
}

/** An access to the deployment of a request, as its component writes it. */
export async function accessToDeployment(
  cluster: Cluster,
  objects: Awaited<ReturnType<typeof requestedDeployment>>,
  name: string,
  annotations?: Record<string, string>,
) {
  const { namespace } = objects.claim;
  const secretName = `${name}-login`;
  const created = await createOwned(cluster, kinds.deploymentAccess, {
    namespace,
    name,
    spec: {
      deploymentRequestName: objects.claim.name,
      deploymentAccessClassName: "login",
      credentialsSecretName: secretName,
    },
    ...(annotations === undefined ? {} : { annotations }),
  });
  return {
    model: modelName,
    kubernetes: cluster.target,
    owner,
    access: { namespace, name, uid: created.metadata.uid },
    bucket: objects.bucket,
    claim: { namespace, name: objects.claim.name },
    secretName,
  };
}
