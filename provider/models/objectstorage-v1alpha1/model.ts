import type { Model } from "../model";
import { GrantedAccessObserver } from "./access-observer";
import { ClaimedBucketObserver } from "./bucket-observer";
import { definitions } from "./definitions";
import { AccessSecretObserver } from "./secret-observer";

/** The living COSI API, as COSI v0.2.2 has it. */
export const objectstorageV1alpha1: Model = {
  requests: { bucket: "BucketClaim", access: "BucketAccess" },
  namesProvisioners: false,
  grantsAtCreate: false,
  wayToKeepData:
    'set the claim\'s deletionPolicy to "Retain" and run pulumi up before this change (an edit of the class changes no ' +
    "bucket that exists)",
  definitions,
  observeBucket: (objects, request) => new ClaimedBucketObserver(objects, request),
  observeAccess: (objects) => new GrantedAccessObserver(objects),
  observeSecret: (objects) => new AccessSecretObserver(objects),
};
