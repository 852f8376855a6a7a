import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const july = cosi.cosi20200708;
const config = new pulumi.Config();

// Credentials are written here first, then to the namespace of their workload.
const stores = new k8s.core.v1.Namespace("stores", { metadata: { name: "stores" } });

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  contract: "cosi-2020-07",
  driverName: pulumi.interpolate`${stores.metadata.name}/s3.pulumi-cosi.dev`,
});
const readers = new july.BucketAccessClass("readers", {
  driver,
  protocol: "s3",
  policyActions: { allow: ["read"] },
});

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
const namespace = shop.metadata.name;

// The bucket is neither made nor deleted: `pulumi config set bucket <its name in the store>`.
const archive = new july.Bucket("archive", {
  driver,
  protocol: { s3: { bucketName: config.require("bucket") } },
  permittedNamespaces: [{ name: namespace }],
});
const request = new july.BucketRequest("archive", {
  namespace,
  protocol: "s3",
  bucketInstanceName: archive.bucketName,
});
const access = new july.BucketAccessRequest("web", {
  namespace,
  bucketRequest: request,
  bucketAccessClass: readers,
  accessSecretName: "archive-creds",
  connectionKeys: true,
});

const labels = { app: "web" };
new k8s.apps.v1.Deployment("web", {
  // The example is done when the objects are there, whether or not a node runs their Pods.
  metadata: { namespace, annotations: { "pulumi.com/skipAwait": "true" } },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: "web", image: "nginx", envFrom: [{ secretRef: { name: access.secretName } }] }],
      },
    },
  },
});

export const bucket = access.bucketId;
export const secret = access.secretName;
