import { defaultGroup, kindsOf } from "../../../provider/models/deployment/kinds";
import type { Verdict } from "./verdicts";

const { deployment, deploymentClass, deploymentRequest, deploymentAccess, deploymentAccessClass } =
  kindsOf(defaultGroup);
const access = {
  deploymentRequestName: "r",
  deploymentAccessClassName: "c",
  credentialsSecretName: "s",
};

/** What the definitions of platform.plural.sh/v1alpha1 say to objects, by the table of DEP-091. */
export const deploymentVerdicts: readonly Verdict[] = [
  {
    what: "DeploymentClass in full",
    kind: deploymentClass,
    fields: { driverName: "d", parameters: { size: "s" }, deletionPolicy: "Delete" },
  },
  { what: "DeploymentClass with a driver alone", kind: deploymentClass, fields: { driverName: "d" } },
  {
    what: "DeploymentClass without driver",
    kind: deploymentClass,
    fields: { parameters: {} },
    rejects: /driverName: Required value/,
  },
  {
    what: "DeploymentClass of another policy",
    kind: deploymentClass,
    fields: { driverName: "d", deletionPolicy: "delete" },
    rejects: /deletionPolicy: Unsupported value: "delete": supported values: "Retain", "Delete"/,
  },
  {
    what: "DeploymentClass with a number as parameter",
    kind: deploymentClass,
    fields: { driverName: "d", parameters: { size: 1 } },
    rejects: /parameters\.size/,
  },
  {
    what: "DeploymentAccessClass in full",
    kind: deploymentAccessClass,
    fields: { driverName: "d", authenticationType: "IAM", parameters: { role: "r" } },
  },
  {
    what: "DeploymentAccessClass without authentication",
    kind: deploymentAccessClass,
    fields: { driverName: "d" },
    rejects: /authenticationType: Required value/,
  },
  {
    what: "DeploymentAccessClass of another authentication",
    kind: deploymentAccessClass,
    fields: { driverName: "d", authenticationType: "KEY" },
    rejects: /authenticationType: Unsupported value: "KEY": supported values: "Key", "IAM"/,
  },
  {
    what: "DeploymentAccessClass without driver",
    kind: deploymentAccessClass,
    fields: { authenticationType: "Key" },
    rejects: /driverName: Required value/,
  },
  {
    what: "DeploymentRequest of a class",
    kind: deploymentRequest,
    fields: { spec: { deploymentClassName: "c" } },
  },
  {
    what: "DeploymentRequest for an existing Deployment",
    kind: deploymentRequest,
    fields: { spec: { existingDeploymentName: "d" } },
  },
  {
    what: "DeploymentRequest of neither",
    kind: deploymentRequest,
    fields: { spec: {} },
    rejects: /give exactly one of deploymentClassName and existingDeploymentName/,
  },
  {
    what: "DeploymentRequest of both",
    kind: deploymentRequest,
    fields: { spec: { deploymentClassName: "c", existingDeploymentName: "d" } },
    rejects: /give exactly one of deploymentClassName and existingDeploymentName/,
  },
  {
    what: "DeploymentRequest of a class without a name",
    kind: deploymentRequest,
    fields: { spec: { deploymentClassName: "" } },
    rejects: /deploymentClassName/,
  },
  {
    what: "DeploymentRequest without spec",
    kind: deploymentRequest,
    fields: {},
    rejects: /spec: Required value/,
  },
  {
    what: "Deployment in full",
    kind: deployment,
    fields: {
      spec: {
        driverName: "d",
        deploymentClassName: "c",
        deploymentRequest: { namespace: "n", name: "r", uid: "u" },
        parameters: { size: "s" },
        deletionPolicy: "Delete",
      },
    },
  },
  {
    what: "Deployment that exists",
    kind: deployment,
    fields: { spec: { driverName: "d", existingDeploymentID: "id:/%" } },
  },
  {
    what: "Deployment that exists and would be deleted",
    kind: deployment,
    fields: { spec: { driverName: "d", existingDeploymentID: "id", deletionPolicy: "Delete" } },
    rejects: /an existing deployment is always kept/,
  },
  {
    what: "Deployment without driver",
    kind: deployment,
    fields: { spec: { deploymentClassName: "c" } },
    rejects: /driverName: Required value/,
  },
  {
    what: "Deployment whose request is a text",
    kind: deployment,
    fields: { spec: { driverName: "d", deploymentRequest: "orders" } },
    rejects: /deploymentRequest/,
  },
  { what: "DeploymentAccess in full", kind: deploymentAccess, fields: { spec: access } },
  ...Object.keys(access).flatMap((key): Verdict[] => [
    {
      what: `DeploymentAccess without ${key}`,
      kind: deploymentAccess,
      fields: { spec: Object.fromEntries(Object.entries(access).filter(([name]) => name !== key)) },
      rejects: new RegExp(`${key}: Required value`),
    },
    {
      what: `DeploymentAccess with an empty ${key}`,
      kind: deploymentAccess,
      fields: { spec: { ...access, [key]: "" } },
      rejects: new RegExp(key),
    },
  ]),
];
