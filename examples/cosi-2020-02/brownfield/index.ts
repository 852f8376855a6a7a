import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const february = cosi.cosi20200227;
const config = new pulumi.Config();

// Credentials are written here first, then to the namespace of their workload.
const system = new k8s.core.v1.Namespace("cosi-system", { metadata: { name: "cosi-system" } });

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  contract: "cosi-2020-02",
  driverName: "s3.pulumi-cosi.dev",
});
// The bucket is neither made nor deleted. A grant tells no place, so the class does.
const bucketClass = new february.BucketClass("archive", {
  driver,
  supportedProtocols: ["s3"],
  accessMode: "ro",
  bucketIdentifier: {
    bucketName: config.require("bucket"),
    region: config.require("region"),
    endpoint: config.require("endpoint"),
  },
  sourceSecretNamespace: system.metadata.name,
});

// What follows is the user's, and the same for a class of any case.
const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
const namespace = shop.metadata.name;

const photos = new february.Bucket("photos", {
  namespace,
  requestProtocol: "s3",
  bucketClass,
  bucketPrefix: "photos-",
  secretName: "photos-creds",
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
        containers: [
          { name: "web", image: "nginx", volumeMounts: [{ name: "bucket", mountPath: "/var/run/bucket" }] },
        ],
        volumes: [{ name: "bucket", secret: { secretName: photos.secretName } }],
      },
    },
  },
});

export const bucket = photos.bucketId;
export const secret = photos.secretName;
