import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const february = cosi.cosi20200227;
const config = new pulumi.Config();

// No driver: bucket and Secret are there, and stay. `stores` is a namespace that users do not read.
const bucketClass = new february.BucketClass("shared", {
  supportedProtocols: ["s3"],
  bucketIdentifier: { bucketName: config.require("bucket") },
  secretRef: { namespace: "stores", name: "shared-keys" },
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
