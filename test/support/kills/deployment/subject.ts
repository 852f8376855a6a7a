import {
  DriverGrantDeploymentAccessResponse,
  IdentityService,
  ProvisionerService,
} from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { KubernetesObject } from "../../../../provider/kubernetes/object";
import { defaultGroup, kindsOf, modelNameOf } from "../../../../provider/models/deployment/kinds";
import { accessesOf, claimedCommands, secretsOfGrant, steadyClaims } from "../claimed";
import { OwnPostgres } from "../own-postgres";
import { dataOf, type Subject } from "../subject";
import { programText } from "./program";

const kinds = kindsOf(defaultGroup);

/** Requests of the Deployment Interface, by our driver of its contract. */
export const deployments: Subject = {
  name: "deployment",
  model: modelNameOf(defaultGroup),
  module: "deployment",
  apiVersion: kinds.apiVersion,
  kinds: [
    kinds.deploymentClass,
    kinds.deploymentAccessClass,
    kinds.deploymentRequest,
    kinds.deployment,
    kinds.deploymentAccess,
  ],
  rpcPaths: {
    getInfo: IdentityService.driverGetInfo.path,
    create: ProvisionerService.driverCreateDeployment.path,
    delete: ProvisionerService.driverDeleteDeployment.path,
    grant: ProvisionerService.driverGrantDeploymentAccess.path,
    revoke: ProvisionerService.driverRevokeDeploymentAccess.path,
  },
  startBackend: () => OwnPostgres.start(),
  commands: claimedCommands,
  namespaces: (namespace) => [namespace],
  programText,
  steady: (text, choice) => steadyClaims(text, choice).replaceAll(ownRole, "$1 of a deployment"),
  accesses: accessesOf(kinds.deploymentAccess, (secret) => [dataOf(secret, "DATABASE_URL"), urlIn(secret)]),
  secretsOfReply: secretsOfGrant((reply) => DriverGrantDeploymentAccessResponse.decode(reply)),
};

/** A deployment has roles of its own, whose names end with the start of its name and what is hashed of it. */
const ownRole = /\bdeployment-(owner|admin|writer|reader)-[\w-]+-[0-9a-f]{20}\b/g;

/** The URL that the variables of libpq make up. */
function urlIn(secret: KubernetesObject | undefined): string | undefined {
  const parts = ["USER", "PASSWORD", "HOST", "PORT", "DATABASE", "SSLMODE"].map((name) =>
    dataOf(secret, `PG${name}`),
  );
  if (parts.includes(undefined)) return undefined;
  const [user = "", password = "", host = "", port = "", database = "", sslMode = ""] = parts;
  return `postgresql://${user}:${password}@${host}:${port}/${database}?sslmode=${sslMode}`;
}
