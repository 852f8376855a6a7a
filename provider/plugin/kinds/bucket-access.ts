import { provider } from "../../bucket-access/provider";
import { untyped } from "../kind";
import { grantedByDriver, keptFromPlans } from "./granted-by-driver";

/** `cosi:index:BucketAccess`. */
export const bucketAccessKind = grantedByDriver("BucketAccess", untyped(provider), {
  target: "bucket",
  targetType: "cosi:Bucket",
  name: "bucketName",
  id: "bucketId",
  info: "bucketInfo",
  renamed: { endpoint: "defaultEndpoint", region: "defaultRegion", ...keptFromPlans },
  credentials: ["accessKeyId", "accessSecretKey", "endpoint", "region", "accessToken", "expiry"],
});
