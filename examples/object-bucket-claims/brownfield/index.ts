import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const { ObjectBucketClaim, StorageClass } = cosi.objectbucket;
const config = new pulumi.Config();

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", { command: ["cosi-driver-s3"] });
// The bucket is neither made nor deleted: `pulumi config set bucket <its name in the store>`.
const storageClass = new StorageClass("archive", {
  driver,
  parameters: { bucketName: config.require("bucket") },
});

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
const namespace = shop.metadata.name;

const photos = new ObjectBucketClaim("photos", { namespace, storageClass, brownfield: true });

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
          {
            name: "web",
            image: "nginx",
            // The address of the bucket and its keys, in one ConfigMap and one Secret of the claim's name.
            envFrom: [
              { configMapRef: { name: photos.configMapName } },
              { secretRef: { name: photos.secretName } },
            ],
          },
        ],
      },
    },
  },
});

export const bucket = photos.bucketName;
export const secret = photos.secretName;
