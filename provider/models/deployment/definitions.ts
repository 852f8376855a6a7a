import type { CustomResourceDefinition, Namesake } from "../../kubernetes/definition";
import { given } from "../cosi-proposals/common-fields";
import { column, definition } from "../cosi-proposals/definition-layout";
import { object, oneOf, text, textMap, type Schema } from "../cosi-proposals/schema";
import { kindsOf } from "./kinds";

const driverName = text("Name of the driver, as it reports it.", { ...given, maxLength: 63 });
const deletionPolicy = oneOf(
  "What becomes of the deployment in the backend: Retain keeps it, Delete destroys it.",
  ["Retain", "Delete"],
  "Retain",
);
const flag = (description: string): Schema => ({ type: "boolean", description });

/** Of `spec` of a request: a new deployment, or one that is there. */
const newOrExisting = {
  rule: "has(self.deploymentClassName) != has(self.existingDeploymentName)",
  message: "give exactly one of deploymentClassName and existingDeploymentName",
};

/** Of `spec` of a Deployment: what was there before is nobody's to delete. */
const existingStays = {
  rule: "!has(self.existingDeploymentID) || self.deletionPolicy == 'Retain'",
  message: "an existing deployment is always kept: leave deletionPolicy out",
};

/** What tells a definition from the published one of its name, whose objects need fields for Git. */
const namesake = (
  field: readonly string[],
  otherField: readonly string[],
  otherScope: Namesake["otherScope"],
) => ({
  model: "the Deployment Interface (components deployment)",
  otherModel: "the published API (pluralsh/deployment-api)",
  field,
  otherField,
  otherScope,
  wayOut:
    "give deployment.install the input group, such as deployment.example.com, under which this model has definitions of " +
    "its own, or use another cluster",
});

/**
 * The definitions of the five kinds in a group. They enforce required fields, values and defaults for objects too that no
 * program of this package wrote. Source: the kinds that are published beside the contract, without those of Git: DEP-091.
 *
 * @param group API group, `platform.plural.sh` as published.
 */
export function definitionsFor(group: string): readonly CustomResourceDefinition[] {
  const kinds = kindsOf(group);
  return [
    definition(group, {
      kind: kinds.deployment,
      scope: "Cluster",
      namesake: namesake(["status", "deploymentID"], ["spec", "pluralId"], "Cluster"),
      fields: {
        spec: object(
          {
            driverName,
            deploymentClassName: text("Name of the DeploymentClass that the deployment was made from."),
            deploymentRequest: object(
              {
                namespace: text("Namespace of the DeploymentRequest."),
                name: text("Name of the DeploymentRequest."),
                uid: text("UID of the DeploymentRequest: one that was made again is another one."),
              },
              [],
              {
                description: "The DeploymentRequest that the deployment is for.",
                "x-kubernetes-map-type": "atomic",
              },
            ),
            parameters: textMap("Parameters of the DeploymentClass, copied when the deployment was made."),
            deletionPolicy,
            existingDeploymentID: text(
              "Id of a deployment that the backend had before; absent for one made by the driver.",
              given,
            ),
          },
          ["driverName"],
          { "x-kubernetes-validations": [existingStays] },
        ),
        status: object({
          ready: flag("The deployment exists in the backend."),
          deploymentID: text("Id of the deployment in the backend, as the driver gave it."),
        }),
      },
      required: ["spec"],
      columns: [
        column("Driver", ".spec.driverName"),
        column("Policy", ".spec.deletionPolicy"),
        column("Ready", ".status.ready", "boolean"),
      ],
    }),
    definition(group, {
      kind: kinds.deploymentClass,
      scope: "Cluster",
      fields: {
        driverName,
        parameters: textMap("Parameters for the driver's create call."),
        deletionPolicy,
      },
      required: ["driverName"],
      columns: [column("Driver", ".driverName"), column("Policy", ".deletionPolicy")],
    }),
    definition(group, {
      kind: kinds.deploymentRequest,
      scope: "Namespaced",
      namesake: namesake(["spec", "existingDeploymentName"], ["spec", "existingBucketName"], "Namespaced"),
      fields: {
        spec: object(
          {
            deploymentClassName: text("Name of the DeploymentClass to make a deployment from.", given),
            existingDeploymentName: text(
              "Name of a Deployment object that stands for what the backend has already.",
              given,
            ),
          },
          [],
          { "x-kubernetes-validations": [newOrExisting] },
        ),
        status: object({
          ready: flag("The deployment may be used."),
          deploymentName: text("Name of the Deployment object."),
        }),
      },
      required: ["spec"],
      columns: [
        column("Class", ".spec.deploymentClassName"),
        column("Deployment", ".status.deploymentName"),
        column("Ready", ".status.ready", "boolean"),
      ],
    }),
    definition(group, {
      kind: kinds.deploymentAccess,
      scope: "Namespaced",
      fields: {
        spec: object(
          {
            deploymentRequestName: text("Name of the DeploymentRequest in the same namespace.", given),
            deploymentAccessClassName: text("Name of the DeploymentAccessClass.", given),
            credentialsSecretName: text("Name of the Secret that the credentials are written to.", given),
          },
          ["deploymentRequestName", "deploymentAccessClassName", "credentialsSecretName"],
        ),
        status: object({
          accountID: text("Id of the account in the backend, as the driver gave it."),
          accessGranted: flag("The Secret holds credentials that work."),
        }),
      },
      required: ["spec"],
      columns: [
        column("Request", ".spec.deploymentRequestName"),
        column("Secret", ".spec.credentialsSecretName"),
        column("Granted", ".status.accessGranted", "boolean"),
      ],
    }),
    definition(group, {
      kind: kinds.deploymentAccessClass,
      scope: "Cluster",
      fields: {
        driverName,
        authenticationType: oneOf("How workloads authenticate.", ["Key", "IAM"]),
        parameters: textMap("Parameters for the driver's grant call."),
      },
      required: ["driverName", "authenticationType"],
      columns: [column("Driver", ".driverName"), column("Authentication", ".authenticationType")],
    }),
  ];
}
