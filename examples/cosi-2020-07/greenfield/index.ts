import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const july = cosi.cosi20200708;

// Credentials are written here first, then to the namespace of their workload.
const stores = new k8s.core.v1.Namespace("stores", { metadata: { name: "stores" } });

// Starts the driver for the run; to use one that is running, give `endpoint` instead.
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  contract: "cosi-2020-07",
  driverName: pulumi.interpolate`${stores.metadata.name}/s3.pulumi-cosi.dev`,
});
const gold = new july.BucketClass("gold", { driver, protocol: "s3", releasePolicy: "Delete" });
const writers = new july.BucketAccessClass("writers", {
  driver,
  protocol: "s3",
  policyActions: { allow: ["read", "write"] },
});

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
const namespace = shop.metadata.name;

const photos = new july.BucketRequest("photos", {
  namespace,
  protocol: "s3",
  bucketClass: gold,
  bucketPrefix: "photos-",
});
const access = new july.BucketAccessRequest("web", {
  namespace,
  bucketRequest: photos,
  bucketAccessClass: writers,
  accessSecretName: "photos-creds",
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
        containers: [
          { name: "web", image: "nginx", volumeMounts: [{ name: "bucket", mountPath: "/var/run/bucket" }] },
        ],
        volumes: [{ name: "bucket", secret: { secretName: access.secretName } }],
      },
    },
  },
});

export const bucket = photos.bucketId;
export const secret = access.secretName;
