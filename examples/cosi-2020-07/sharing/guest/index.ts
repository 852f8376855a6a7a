import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as cosi from "pulumi-cosi";

const july = cosi.cosi20200708;
const config = new pulumi.Config();
const namespace = "guests";

// The same store, by the name that the owner's classes have for its driver.
const driver = new cosi.Driver("store", {
  command: ["cosi-driver-s3"],
  contract: "cosi-2020-07",
  driverName: "stores/s3.pulumi-cosi.dev",
});

// What the owner's stack tells: `pulumi config set bucketInstance bucket-catalogue-shop`.
const catalogue = new july.BucketRequest("catalogue", {
  namespace,
  protocol: "s3",
  bucketInstanceName: config.require("bucketInstance"),
});
const access = new july.BucketAccessRequest("reader", {
  namespace,
  bucketRequest: catalogue,
  bucketAccessClassName: "readers",
  accessSecretName: "catalogue-creds",
  connectionKeys: true,
  driver,
});

const labels = { app: "reader" };
new k8s.apps.v1.Deployment("reader", {
  // The example is done when the objects are there, whether or not a node runs their Pods.
  metadata: { namespace, annotations: { "pulumi.com/skipAwait": "true" } },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          { name: "reader", image: "nginx", envFrom: [{ secretRef: { name: access.secretName } }] },
        ],
      },
    },
  },
});

export const secret = access.secretName;
