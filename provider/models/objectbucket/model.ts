import type { Model } from "../model";
import { ClaimAccessObserver } from "./claim-access-observer";
import { ClaimObserver } from "./claim-observer";
import { ClaimSecretObserver } from "./claim-secret-observer";
import { definitions } from "./definitions";
import { objectBucketClaimKind } from "./kinds";

/** The API of object bucket claims. */
export const objectBucketModel: Model = {
  requests: { bucket: objectBucketClaimKind.kind, access: objectBucketClaimKind.kind },
  // A StorageClass names the provisioner that a driver serves, not the driver.
  namesProvisioners: false,
  grantsAtCreate: "either",
  wayToKeepData: "leave this claim as it is, and make one of a new name beside it",
  definitions,
  observeBucket: (objects, request) => new ClaimObserver(objects, request),
  observeAccess: (objects) => new ClaimAccessObserver(objects),
  observeSecret: (objects) => new ClaimSecretObserver(objects),
};
