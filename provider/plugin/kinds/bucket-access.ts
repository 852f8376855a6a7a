import { provider } from "../../bucket-access/provider";
import { inputKeys } from "../../bucket-access/inputs";
import { untyped } from "../kind";
import { grantedByDriver } from "./granted-by-driver";

/** `cosi:index:BucketAccess`. */
export const bucketAccessKind = grantedByDriver("BucketAccess", untyped(provider), {
  target: "bucket",
  targetType: "cosi:Bucket",
  name: "bucketName",
  id: "bucketId",
  info: "bucketInfo",
  otherwise: { endpoint: "defaultEndpoint", region: "defaultRegion" },
  ownInputs: inputKeys,
  credentials: ["accessKeyId", "accessSecretKey", "endpoint", "region", "accessToken", "expiry"],
});
