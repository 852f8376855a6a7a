import { AppBucket, StoragePlatform, type Environment } from "@acme/platform-storage";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Driver } from "pulumi-cosi/core";

const environment = new pulumi.Config().get<Environment>("environment") ?? "development";

const shop = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } });
// Its endpoint is COSI_ENDPOINT of whoever runs the program.
const platform = new StoragePlatform("storage", { environment, driver: new Driver("store", {}) });

const photos = new AppBucket("photos", {
  platform,
  team: "web",
  namespace: shop.metadata.name,
  readers: true,
});

export const bucket = photos.bucketId;
export const secret = photos.secretName;
export const readerSecret = photos.readerSecretName;
