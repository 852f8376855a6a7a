import type { ComponentResourceOptions, CustomResourceOptions, Resource } from "@pulumi/pulumi";
import type * as cosiPackage from "../../../index";

/** Makes one resource of the package, under a name and with options. */
export interface Maker {
  /** What a program calls it: `objectstorage.BucketClaim`. */
  readonly what: string;
  /** Arguments that `ignoreChanges` may name, each with a value. */
  readonly ignorable: readonly string[];
  readonly make: (name: string, opts: ComponentResourceOptions & CustomResourceOptions) => Resource;
}

const namespace = "shop";
const metadata = ["labels", "annotations"];

/** The cluster that components are told of, which a component with a kubernetes provider of its own needs. */
export interface Told {
  readonly kubeconfig?: string;
}

/**
 * Every component of the package, and every resource without Kubernetes. What they need is made here, without options.
 *
 * It names the package by a type only: a program of a test hands in the one that it has installed.
 */
export function everyComponent(cosi: typeof cosiPackage, told: Told = {}): Maker[] {
  cosi.cosi20200227.install({ group: "february.cosi.io", ...told });
  return [
    ...plainResources(cosi),
    ...objectstorage(cosi, told),
    ...objectbucket(cosi, told),
    ...deployment(cosi, told),
    ...cosi20200708(cosi, told),
    ...cosi20200227(cosi, told),
  ];
}

const endpoint = "unix:///run/cosi/cosi.sock";

function plainResources(cosi: typeof cosiPackage): Maker[] {
  const driver = new cosi.Driver("of-plain", { endpoint });
  const postgres = new cosi.Driver("of-plain-deployments", { endpoint, contract: "deployment.v1alpha1" });
  const bucket = new cosi.Bucket("of-plain", { driver });
  const database = new cosi.Deployment("of-plain", { driver: postgres });
  return [
    {
      what: "Driver",
      ignorable: ["endpoint"],
      make: (name, opts) => new cosi.Driver(name, { endpoint }, opts),
    },
    {
      what: "Bucket",
      ignorable: ["deletionPolicy", "parameters"],
      make: (name, opts) => new cosi.Bucket(name, { driver, parameters: { tier: "hot" } }, opts),
    },
    {
      what: "BucketAccess",
      ignorable: ["bucket", "endpoint", "parameters", "region"],
      make: (name, opts) => new cosi.BucketAccess(name, { bucket, region: "eu-1" }, opts),
    },
    {
      what: "Deployment",
      ignorable: ["deletionPolicy", "deploymentContext", "parameters"],
      make: (name, opts) => new cosi.Deployment(name, { driver: postgres }, opts),
    },
    {
      what: "DeploymentAccess",
      ignorable: ["deployment", "parameters"],
      make: (name, opts) => new cosi.DeploymentAccess(name, { deployment: database }, opts),
    },
  ];
}

function objectstorage(cosi: typeof cosiPackage, told: Told): Maker[] {
  const model = cosi.objectstorage;
  const driver = new cosi.Driver("of-objectstorage", { endpoint });
  const bucketClass = new model.BucketClass("of-objectstorage", { ...told, driver });
  const bucketAccessClass = new model.BucketAccessClass("of-objectstorage", {
    ...told,
    driver,
    authenticationType: "Key",
  });
  const protocols = ["S3"];
  const bucketClaim = new model.BucketClaim("of-objectstorage", {
    ...told,
    namespace,
    bucketClass,
    protocols,
  });
  return [
    {
      what: "objectstorage.BucketClass",
      ignorable: [...metadata, "deletionPolicy", "parameters"],
      make: (name, opts) => new model.BucketClass(name, { ...told, driver }, opts),
    },
    {
      what: "objectstorage.BucketAccessClass",
      ignorable: [...metadata, "authenticationType", "parameters"],
      make: (name, opts) =>
        new model.BucketAccessClass(name, { ...told, driver, authenticationType: "Key" }, opts),
    },
    {
      what: "objectstorage.BucketClaim",
      ignorable: [...metadata, "deletionPolicy", "protectData"],
      make: (name, opts) => new model.BucketClaim(name, { ...told, namespace, bucketClass, protocols }, opts),
    },
    {
      what: "objectstorage.Bucket",
      ignorable: [...metadata, "parameters"],
      make: (name, opts) =>
        new model.Bucket(name, { ...told, bucketClass, existingBucketId: "archive", protocols }, opts),
    },
    {
      what: "objectstorage.BucketMirror",
      ignorable: [...metadata, "bucketClassName", "protocols"],
      make: (name, opts) => new model.BucketMirror(name, { ...told, driver }, opts),
    },
    {
      what: "objectstorage.BucketAccess",
      ignorable: [...metadata, "endpoint", "region", "revokeNotFound", "rotation", "secretLabels"],
      make: (name, opts) =>
        new model.BucketAccess(
          name,
          { ...told, namespace, bucketClaim, bucketAccessClass, credentialsSecretName: name },
          opts,
        ),
    },
  ];
}

function objectbucket(cosi: typeof cosiPackage, told: Told): Maker[] {
  const model = cosi.objectbucket;
  const driver = new cosi.Driver("of-objectbucket", { endpoint });
  const storageClass = new model.StorageClass("of-objectbucket", { ...told, driver });
  const subjects = [{ kind: "Group", name: "web" }];
  return [
    {
      what: "objectbucket.StorageClass",
      ignorable: metadata,
      make: (name, opts) => new model.StorageClass(name, { ...told, driver, viewers: subjects }, opts),
    },
    {
      what: "objectbucket.ClaimUserRole",
      ignorable: [...metadata, "subjects"],
      make: (name, opts) => new model.ClaimUserRole(name, { ...told, namespace, subjects }, opts),
    },
    {
      what: "objectbucket.ObjectBucketClaim",
      ignorable: [...metadata, "additionalConfig", "protectData", "revokeNotFound", "rotation"],
      make: (name, opts) =>
        new model.ObjectBucketClaim(
          name,
          { ...told, namespace, storageClass, generateBucketName: name },
          opts,
        ),
    },
  ];
}

function deployment(cosi: typeof cosiPackage, told: Told): Maker[] {
  const model = cosi.deployment;
  const driver = new cosi.Driver("of-deployment", { endpoint, contract: "deployment.v1alpha1" });
  const deploymentClass = new model.DeploymentClass("of-deployment", { ...told, driver });
  const deploymentAccessClass = new model.DeploymentAccessClass("of-deployment", {
    ...told,
    driver,
    authenticationType: "Key",
  });
  const deploymentRequest = new model.DeploymentRequest("of-deployment", {
    ...told,
    namespace,
    deploymentClass,
  });
  return [
    {
      what: "deployment.DeploymentClass",
      ignorable: [...metadata, "deletionPolicy", "parameters"],
      make: (name, opts) => new model.DeploymentClass(name, { ...told, driver }, opts),
    },
    {
      what: "deployment.DeploymentAccessClass",
      ignorable: [...metadata, "authenticationType", "parameters"],
      make: (name, opts) =>
        new model.DeploymentAccessClass(name, { ...told, driver, authenticationType: "Key" }, opts),
    },
    {
      what: "deployment.DeploymentRequest",
      ignorable: [...metadata, "deletionPolicy", "protectData", "readyTimeoutSeconds", "waitUntilReady"],
      make: (name, opts) => new model.DeploymentRequest(name, { ...told, namespace, deploymentClass }, opts),
    },
    {
      what: "deployment.Deployment",
      ignorable: [...metadata, "parameters"],
      make: (name, opts) =>
        new model.Deployment(name, { ...told, deploymentClass, existingDeploymentId: "orders" }, opts),
    },
    {
      what: "deployment.DeploymentAccess",
      ignorable: [...metadata, "revokeNotFound", "rotation", "secretLabels"],
      make: (name, opts) =>
        new model.DeploymentAccess(
          name,
          { ...told, namespace, deploymentRequest, deploymentAccessClass, credentialsSecretName: name },
          opts,
        ),
    },
  ];
}

function cosi20200708(cosi: typeof cosiPackage, told: Told): Maker[] {
  const model = cosi.cosi20200708;
  const driverName = "stores/s3.example.com";
  const driver = new cosi.Driver("of-july", { endpoint, contract: "cosi-2020-07", driverName });
  const protocol = "s3";
  const bucketClass = new model.BucketClass("of-july", { ...told, driver, protocol });
  const bucketAccessClass = new model.BucketAccessClass("of-july", { ...told, driver, protocol });
  const bucketRequest = new model.BucketRequest("of-july", { ...told, namespace, bucketClass, protocol });
  return [
    {
      what: "cosi20200708.BucketClass",
      ignorable: [
        ...metadata,
        "additionalPermittedNamespaces",
        "anonymousAccessMode",
        "isDefaultBucketClass",
        "releasePolicy",
      ],
      make: (name, opts) =>
        new model.BucketClass(name, { ...told, driver, protocol, isDefaultBucketClass: true }, opts),
    },
    {
      what: "cosi20200708.BucketAccessClass",
      ignorable: [...metadata, "parameters", "policyActions"],
      make: (name, opts) => new model.BucketAccessClass(name, { ...told, driver, protocol }, opts),
    },
    {
      what: "cosi20200708.BucketRequest",
      ignorable: [...metadata, "deleteTimeoutSeconds", "protectData"],
      make: (name, opts) =>
        new model.BucketRequest(name, { ...told, namespace, bucketClass, protocol }, opts),
    },
    {
      what: "cosi20200708.Bucket",
      ignorable: [...metadata, "anonymousAccessMode", "parameters", "permittedNamespaces"],
      make: (name, opts) =>
        new model.Bucket(
          name,
          { ...told, driver, protocol: { s3: { bucketName: "archive" } }, permittedNamespaces: [] },
          opts,
        ),
    },
    {
      what: "cosi20200708.BucketAccessRequest",
      ignorable: [...metadata, "revokeNotFound", "secretLabels"],
      make: (name, opts) =>
        new model.BucketAccessRequest(
          name,
          { ...told, namespace, bucketRequest, bucketAccessClass, accessSecretName: name },
          opts,
        ),
    },
  ];
}

function cosi20200227(cosi: typeof cosiPackage, told: Told): Maker[] {
  const model = cosi.cosi20200227;
  const driverName = "s3.example.com";
  const driver = new cosi.Driver("of-february", { endpoint, contract: "cosi-2020-02", driverName });
  const supportedProtocols = ["s3"];
  const bucketClass = new model.BucketClass("of-february", { ...told, driver, supportedProtocols });
  return [
    {
      what: "cosi20200227.BucketClass",
      ignorable: [...metadata, "accessMode", "releasePolicy", "secretRef", "supportedProtocols"],
      make: (name, opts) => new model.BucketClass(name, { ...told, driver, supportedProtocols }, opts),
    },
    {
      what: "cosi20200227.Bucket",
      ignorable: [...metadata, "protectData", "revokeNotFound", "secretTimeout"],
      make: (name, opts) =>
        new model.Bucket(name, { ...told, namespace, requestProtocol: "s3", bucketClass }, opts),
    },
  ];
}
