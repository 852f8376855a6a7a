import {
  type DeploymentStatusEnum,
  type ProvisionerServer,
} from "../../../../gen/deployment.v1alpha1/deployment/v1alpha1/deployment";
import { checkAuthenticationType } from "../../../common/calls/authentication-type";
import type { Calls } from "../../../common/calls/calls";
import { checkMapSize, checkRequired } from "../../../common/calls/fields";
import { quote } from "../../../common/text";
import { checkAccountParameters } from "../../core/account-parameters";
import { checkDeploymentParameters } from "../../core/deployment-parameters";
import type { DeploymentStatus } from "../../core/deployments";
import type { Driver } from "../../core/driver";
import { postgresCredentials } from "./credentials";

/** The service `deployment.v1alpha1.Provisioner`. */
export function provisionerServer(driver: Driver, calls: Calls): ProvisionerServer {
  return {
    driverCreateDeployment: calls.unary({
      rpc: "DriverCreateDeployment",
      attempt: ({ name }) => `create deployment ${quote(name)}`,
      subject: ({ name }) => ({ deployment: quote(name) }),
      answer: async ({ name, parameters }, owner) => {
        checkRequired("name", name);
        checkMapSize("parameters", parameters);
        checkDeploymentParameters("parameters", parameters);
        await driver.deployments.create(name, parameters, owner);
        // None of the protocols of the contract is that of a database.
        return { deploymentId: name, deploymentInfo: undefined };
      },
    }),

    driverDeleteDeployment: calls.unary({
      rpc: "DriverDeleteDeployment",
      attempt: ({ deploymentId }) => `delete deployment ${quote(deploymentId)}`,
      subject: ({ deploymentId }) => ({ deployment: quote(deploymentId) }),
      answer: async ({ deploymentId, deleteContext }) => {
        checkRequired("deployment_id", deploymentId);
        checkMapSize("delete_context", deleteContext);
        checkDeploymentParameters("delete_context", deleteContext);
        await driver.deployments.delete(deploymentId);
        return {};
      },
    }),

    driverGrantDeploymentAccess: calls.unary({
      rpc: "DriverGrantDeploymentAccess",
      attempt: ({ deploymentId, name }) =>
        `grant account ${quote(name)} access to deployment ${quote(deploymentId)}`,
      subject: ({ deploymentId, name }) => ({ deployment: quote(deploymentId), account: quote(name) }),
      answer: async ({ deploymentId, name, authenticationType, parameters }, owner) => {
        checkRequired("deployment_id", deploymentId);
        checkRequired("name", name);
        checkAuthenticationType(authenticationType);
        checkMapSize("parameters", parameters);
        checkAccountParameters("parameters", parameters);
        const grant = await driver.accounts.grant(deploymentId, name, parameters, owner);
        const details = postgresCredentials(driver.client, deploymentId, grant);
        return { accountId: grant.accountId, credentials: new Map([["postgres", details]]) };
      },
    }),

    driverRevokeDeploymentAccess: calls.unary({
      rpc: "DriverRevokeDeploymentAccess",
      attempt: ({ deploymentId, accountId }) =>
        `revoke the access of account ${quote(accountId)} to deployment ${quote(deploymentId)}`,
      subject: ({ deploymentId, accountId }) => ({
        deployment: quote(deploymentId),
        account: quote(accountId),
      }),
      answer: async ({ deploymentId, accountId, revokeAccessContext }) => {
        checkRequired("deployment_id", deploymentId);
        checkRequired("account_id", accountId);
        checkMapSize("revoke_access_context", revokeAccessContext);
        checkAccountParameters("revoke_access_context", revokeAccessContext);
        await driver.accounts.revoke(deploymentId, accountId);
        return {};
      },
    }),

    driverGetDeploymentStatus: calls.unary({
      rpc: "DriverGetDeploymentStatus",
      attempt: ({ deploymentId }) => `tell the status of deployment ${quote(deploymentId)}`,
      subject: ({ deploymentId }) => ({ deployment: quote(deploymentId) }),
      answer: async ({ deploymentId }) => {
        checkRequired("deployment_id", deploymentId);
        const status = await driver.deployments.status(deploymentId);
        return {
          deploymentId,
          deploymentStatus: { type: memberOf(status) },
          message: status.state === "error" ? status.message : "",
        };
      },
    }),
  };
}

function memberOf({ state }: DeploymentStatus): DeploymentStatusEnum["type"] {
  return { $case: state, value: true };
}
