import * as k8s from "@pulumi/kubernetes";
import * as cosi from "pulumi-cosi";

const { BucketAccess, BucketAccessClass, BucketClaim, BucketClass } = cosi.objectstorage;
const { DeploymentAccess, DeploymentAccessClass, DeploymentClass, DeploymentRequest } = cosi.deployment;

// Both drivers are started for the run; to use ones that are running, give `endpoint` instead.
const store = new cosi.Driver("store", { command: ["cosi-driver-s3"] });
const postgres = new cosi.Driver("postgres", {
  contract: "deployment.v1alpha1",
  command: ["deployment-driver-postgres"],
});

const buckets = new BucketClass("buckets", { driver: store, deletionPolicy: "Delete" });
const keys = new BucketAccessClass("keys", { driver: store, authenticationType: "Key" });
const databases = new DeploymentClass("databases", { driver: postgres, deletionPolicy: "Delete" });
const logins = new DeploymentAccessClass("logins", { driver: postgres, authenticationType: "Key" });

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
const namespace = shop.metadata.name;

const photos = new BucketClaim("photos", { namespace, bucketClass: buckets, protocols: ["S3"] });
const photosAccess = new BucketAccess("photos", {
  namespace,
  bucketClaim: photos,
  bucketAccessClass: keys,
  credentialsSecretName: "photos",
  extraKeys: ["aws-environment"],
});

const orders = new DeploymentRequest("orders", { namespace, deploymentClass: databases });
const ordersAccess = new DeploymentAccess("orders", {
  namespace,
  deploymentRequest: orders,
  deploymentAccessClass: logins,
  credentialsSecretName: "orders",
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
          {
            name: "web",
            image: "nginx",
            // AWS_… and BUCKET_NAME of the one, PG… and DATABASE_URL of the other.
            envFrom: [
              { secretRef: { name: photosAccess.secretName } },
              { secretRef: { name: ordersAccess.secretName } },
            ],
          },
        ],
      },
    },
  },
});

export const bucket = photos.bucketId;
export const database = orders.deploymentId;
