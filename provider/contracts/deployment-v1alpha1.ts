import {
  ProvisionerService,
  type DeploymentStatusEnum,
} from "../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import type { Caller, Contract, DriverClient, Readiness } from "./contract";
import { method, withReply } from "./generated-method";
import { contractTraits } from "./traits";
import { clientOf, formTraits, identifyOf, renamed, type WireNames } from "./v1alpha1-form";

/**
 * The Deployment Interface: the messages of cosi.v1alpha1 under other names, and a call that tells whether a deployment can
 * be used yet, which only some drivers have.
 * Source: Deployment Interface; requirements, sections 3 and 4.
 */
export const deploymentV1alpha1 = contractOfPackage("deployment.v1alpha1", "Deployment");

/** The same under the names of its sister package: only the paths differ (DEP-089). */
export const databaseV1alpha1 = contractOfPackage("database.v1alpha1", "Database");

function contractOfPackage(name: "deployment.v1alpha1" | "database.v1alpha1", noun: string): Contract {
  const names: WireNames = {
    services: name,
    noun,
    messages: { package: "deployment.v1alpha1", noun: "Deployment" },
  };
  return {
    ...formTraits,
    ...contractTraits[name],
    name,
    descriptors: "deployment.v1alpha1",
    endpointVariable: "Deployment_ENDPOINT",
    limitsNames: false,
    credentialsAreFree: true,
    identify: identifyOf(names),
    client: withReadiness(names),
  };
}

function withReadiness(names: WireNames): (caller: Caller) => DriverClient {
  const client = clientOf(names);
  const getStatus = renamed(method("status", ProvisionerService.driverGetDeploymentStatus), names);
  return (caller) => ({
    ...client(caller),
    readiness: async ({ bucketId }, target) => {
      const answer = await caller.call(getStatus, { deploymentId: bucketId }, target);
      return withReply(answer, ({ deploymentStatus, message }) => ({
        state: stateOf(deploymentStatus),
        message,
      }));
    },
  });
}

/** A status that is absent, or a member that is set to false, says as little as one that is pending. */
function stateOf(status: DeploymentStatusEnum | undefined): Readiness["state"] {
  const type = status?.type;
  return type?.value === true ? type.$case : "pending";
}
